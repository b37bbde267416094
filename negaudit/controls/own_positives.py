"""The kind "own_positive": a negative becomes the record's own first positive, the worst false negative there is."""

from __future__ import annotations

from dataclasses import replace

from negaudit.controls.draws import Draws, replaced_positions
from negaudit.controls.kinds import Materials, Replacement, register
from negaudit.controls.recipe import Recipe
from negaudit.data.record import Negative, Record


@register("own_positive")
class OwnPositives:
    """Puts the first non-empty positive at each chosen place, as often as places are chosen; where a record has none, they are lost."""

    whole_list = False
    needs_encoder = False

    def __init__(self, recipe: Recipe, _: Materials) -> None:
        self._recipe = recipe

    def replace(self, record: Record, draws: Draws) -> Replacement:
        """Return the record's negatives with the recipe's share of them being its first positive."""
        chosen = replaced_positions(self._recipe, len(record.negatives), draws)
        own = next(((i, text) for i, text in zip(record.positive_ids, record.positives, strict=True) if text.strip()), None)
        if own is None:
            kept = [negative for negative, replaced in zip(record.negatives, chosen, strict=True) if not replaced]
            return Replacement(tuple(replace(n, replaced=bool(n.replaced)) for n in kept), {"no_positive": sum(chosen)})
        copy = Negative(id=own[0], text=own[1], origin=self._recipe.name, replaced=True)
        pairs = zip(record.negatives, chosen, strict=True)
        return Replacement(tuple(copy if replaced else replace(n, replaced=bool(n.replaced)) for n, replaced in pairs))
