"""The kind "random": a negative becomes a uniformly drawn passage, never a positive, without repeats in its record."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from negaudit.controls.draws import Draws, replaced_positions
from negaudit.controls.identity import Passages
from negaudit.controls.kinds import Materials, Replacement, register
from negaudit.controls.recipe import Recipe
from negaudit.data.record import Negative, Record


@register("random")
class RandomPassages:
    """Replaces by passages of the pool; one that is left over because no passage remains is lost as `no_passage_left`."""

    whole_list = False
    needs_encoder = False

    def __init__(self, recipe: Recipe, materials: Materials) -> None:
        self._recipe = recipe
        self._pool = materials.pool()

    def replace(self, record: Record, draws: Draws) -> Replacement:
        """Return the record's negatives with the recipe's share of them drawn anew."""
        chosen = replaced_positions(self._recipe, len(record.negatives), draws)
        excluded = Passages.positives(record)
        for negative, replaced in zip(record.negatives, chosen, strict=True):
            if not replaced:
                excluded.add(negative.id, negative.text)
        negatives = []
        lost: Counter[str] = Counter()
        for index, (negative, replaced) in enumerate(zip(record.negatives, chosen, strict=True)):
            if not replaced:
                negatives.append(replace(negative, replaced=bool(negative.replaced)))
                continue
            drawn = self._pool.draw(excluded, draws, "passage", index)
            if drawn is None:
                lost["no_passage_left"] += 1
                continue
            excluded.add(*drawn)
            negatives.append(Negative(id=drawn[0], text=drawn[1], origin=self._recipe.name, replaced=True))
        return Replacement(tuple(negatives), lost)
