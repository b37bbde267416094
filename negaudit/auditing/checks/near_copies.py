"""Whether one passage is a near copy of another: by the tokens they share and by the encoder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import FLOATS
from negaudit.auditing.checks.sample import INT64

CHUNK = 8192


@dataclass(frozen=True)
class Likeness:
    """Of n pairs of passages: the share of all their tokens that both have (Jaccard), and the cosine (None without an encoder)."""

    shared: FLOATS
    cosine: FLOATS | None

    def near(self, shared: float, cosine: float) -> np.ndarray:
        """Return which pairs are near copies by either measure."""
        return self.shared >= shared if self.cosine is None else (self.shared >= shared) | (self.cosine >= cosine)

    @property
    def closest(self) -> FLOATS:
        """The larger of the two measures."""
        return self.shared if self.cosine is None else np.maximum(self.shared, self.cosine)


def likeness(context: CheckContext, left: INT64, right: INT64) -> Likeness:
    """Return how alike the texts numbered `left` and `right` are, pair by pair."""
    from negaudit.auditing.checks.context import cosines

    cosine = None if context.encoder is None else cosines(context.passages, context.passages, left, right)
    return Likeness(_jaccard(context, left, right), cosine)


def _jaccard(context: CheckContext, left: INT64, right: INT64) -> FLOATS:
    """Return |A ∩ B| / |A ∪ B| of token sets, 0 where both are empty, from one sparse product per chunk."""
    from scipy.sparse import csr_array

    lists = context.words.texts
    sets = csr_array((np.ones(len(lists.ids)), lists.ids, lists.offsets), shape=(len(lists), len(context.words.idf)))
    found = np.empty(len(left))
    sizes = lists.counts()
    for start in range(0, len(left), CHUNK):
        span = slice(start, start + CHUNK)
        both = sets[left[span]].multiply(sets[right[span]]).sum(axis=1)
        found[span] = both / np.maximum(1, sizes[left[span]] + sizes[right[span]] - both)
    return found
