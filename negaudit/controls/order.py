"""The order in which recipes are built: each after the recipe it starts from; and which of them want an encoder."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from negaudit.controls.recipe import Recipe, shipped_recipes
from negaudit.errors import NegauditError, unknown_name


def without_encoder(recipes: Sequence[Recipe]) -> tuple[list[Recipe], list[str]]:
    """Return the recipes that can be built without an encoder, and the names of the others."""
    return [recipe for recipe in recipes if not recipe.needs_encoder], [recipe.name for recipe in recipes if recipe.needs_encoder]


def building_order(recipes: Sequence[Recipe], base: str, sources: Collection[str]) -> list[Recipe]:
    """Return `recipes` and the shipped ones that they start from, each after its own base; else in the given order.

    A base is looked for among the sources first, then among `recipes`, then among the shipped ones; a recipe without one starts from
    `base`. Raises NegauditError for a base that is none of them, and for recipes that start from each other.
    """
    shipped = {recipe.name: recipe for recipe in shipped_recipes()} if any(recipe.base for recipe in recipes) else {}
    known = {**shipped, **{recipe.name: recipe for recipe in recipes}}
    ordered: dict[str, Recipe] = {}
    for recipe in recipes:
        _place(recipe, base, sources, known, ordered, ())
    return list(ordered.values())


def _place(
    recipe: Recipe, base: str, sources: Collection[str], known: Mapping[str, Recipe], ordered: dict[str, Recipe], above: tuple[str, ...]
) -> None:
    if recipe.name in above:
        raise NegauditError(f"controls start from each other: {' <- '.join((*above, recipe.name))}; let one start from a source")
    if recipe.name in ordered:
        return
    start = recipe.base or base
    if start not in sources:
        if start not in known:
            raise unknown_name(
                "base source", start, {*sources, *(name for name in known if name != recipe.name)} if recipe.base else sources
            )
        _place(known[start], base, sources, known, ordered, (*above, recipe.name))
    ordered[recipe.name] = recipe
