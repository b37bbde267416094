"""The kind "shuffled": a record takes over the whole list of another record, whose query and positives are others."""

from __future__ import annotations

from dataclasses import replace

from negaudit.controls.draws import Draws
from negaudit.controls.identity import Passages
from negaudit.controls.kinds import Materials, Replacement, register
from negaudit.controls.recipe import Recipe
from negaudit.data.record import Record
from negaudit.text.folding import folded

# After so many draws of a record that cannot lend its list, the records that can are listed and one of them is drawn.
ATTEMPTS = 64


@register("shuffled")
class Shuffled:
    """Draws a lender uniformly; a record that nobody can lend to loses its negatives as `no_other_record`."""

    whole_list = True
    needs_encoder = False

    def __init__(self, recipe: Recipe, materials: Materials) -> None:
        self._recipe = recipe
        self._base = materials.base

    def replace(self, record: Record, draws: Draws) -> Replacement:
        """Return the lender's negatives, in the lender's order."""
        lender = self._lender(record, draws)
        if lender is None:
            return Replacement((), {"no_other_record": len(record.negatives)})
        name = self._recipe.name
        # A rank and a score belong to the query they were computed for.
        return Replacement(tuple(replace(n, origin=name, rank=None, score=None, replaced=True) for n in lender.negatives))

    def _lender(self, record: Record, draws: Draws) -> Record | None:
        own = Passages.positives(record)
        query = folded(record.query)
        for attempt in range(ATTEMPTS):
            other = self._base.in_key_order(draws.below(len(self._base), "lender", attempt))
            if _can_lend(other, query, own):
                return other
        able = [number for number in range(len(self._base)) if _can_lend(self._base.in_key_order(number), query, own)]
        return self._base.in_key_order(able[draws.below(len(able), "lender", "listed")]) if able else None


def _can_lend(other: Record, query: str, own: Passages) -> bool:
    """Return whether `other` has negatives, another query and other positives, and holds no positive of the borrower.

    The borrower itself falls out here: it has its own query.
    """
    if not other.negatives or folded(other.query) == query or Passages.positives(other).meets(own):
        return False
    return not Passages.negatives(other).meets(own)
