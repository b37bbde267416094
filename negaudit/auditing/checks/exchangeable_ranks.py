"""Where a negative falls among random passages: a rank that is uniform on [0, 1] for a negative that is one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negaudit.auditing.checks.contract import FLOATS

COUNTS = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Ranks:
    """For each negative the interval in which its rank is drawn: `low` and `high` in [0, 1]; ties widen it."""

    low: FLOATS
    high: FLOATS

    @property
    def middle(self) -> FLOATS:
        """The rank's expectation."""
        return (self.low + self.high) / 2

    def below(self, cut: float) -> FLOATS:
        """Return the probability that the rank is at most `cut`; its mean over unrelated negatives is exactly `cut`."""
        return np.clip((cut - self.low) / (self.high - self.low), 0.0, 1.0)


def self_ranks(null: FLOATS) -> COUNTS:
    """Return for each random passage of a row (n, m) twice the number of others of the row below it, plus those equal to it."""
    from scipy.stats import rankdata

    return np.asarray(2 * rankdata(null, axis=1) - 2, np.int32)


def best_ranks(values: Sequence[FLOATS], null: Sequence[FLOATS], null_ranks: Sequence[COUNTS]) -> Ranks:
    """Return the ranks of n negatives by the best of their ranks under several measures (larger: more related).

    `values` holds per measure the negatives' numbers (n,), `null` those of each one's m random passages (n, m), and `null_ranks` what
    self_ranks says of them. All m + 1 passages are ranked together under each measure, each gets the best of its ranks, and the
    negative's place among these is what is returned. The m + 1 are treated alike, so under exchangeability the rank is uniform whatever
    the measures and however they hang together.
    """
    best = tested = None
    for value, drawn, ranks in zip(values, null, null_ranks, strict=True):
        above = np.asarray(2 * (drawn > value[:, None]) + (drawn == value[:, None]), np.int32)
        mine = 2 * drawn.shape[1] - above.sum(axis=1, dtype=np.int32)
        theirs = ranks + above
        best = theirs if best is None else np.maximum(best, theirs)
        tested = mine if tested is None else np.maximum(tested, mine)
    if best is None or tested is None:
        raise ValueError("there is no measure to rank by")
    size = best.shape[1] + 1
    below = (best < tested[:, None]).sum(axis=1)
    equal = (best == tested[:, None]).sum(axis=1)
    return Ranks(below / size, (below + equal + 1) / size)
