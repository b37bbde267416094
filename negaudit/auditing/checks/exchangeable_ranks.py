"""Where a negative falls among random passages: a rank that is uniform on [0, 1] for a negative that is one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from negaudit.auditing.checks.contract import FLOATS
from negaudit.auditing.checks.sample import INT64


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


def best_ranks(values: Sequence[FLOATS], null: Sequence[FLOATS], rows: INT64) -> Ranks:
    """Return the ranks of n negatives by the best of their ranks under several measures (larger: more related).

    `values` holds per measure the negatives' numbers (n,), `null` those of each record's m random passages (records, m), and `rows` the
    record of each negative. All m + 1 passages are ranked together under each measure, each gets the best of its ranks, and the negative's
    place among these is what is returned. The m + 1 are treated alike, so under exchangeability the rank is uniform whatever the measures
    and however they hang together.
    """
    from scipy.stats import rankdata

    # Twice the number of others below, plus those equal: a whole number, so that ties are exact.
    among = np.array([2 * rankdata(drawn, axis=1) - 2 for drawn in null]).astype(np.int64)
    below, equal = _places(np.array(values, np.float64), np.array(null, np.float64), among, rows)
    size = among.shape[2] + 1
    return Ranks(below / size, (below + equal + 1) / size)


@njit(cache=True, nogil=True)
def _places(values: Any, null: Any, among: Any, rows: Any) -> Any:
    """Return how many of each negative's random passages have a worse best rank than it, and how many the same."""
    measures, count = values.shape
    size = null.shape[2]
    below, equal = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for i in range(count):
        row, best = rows[i], 0
        for k in range(measures):
            mine = 0
            for j in range(size):
                mine += 2 * (null[k, row, j] < values[k, i]) + (null[k, row, j] == values[k, i])
            best = max(best, mine)
        for j in range(size):
            other = 0
            for k in range(measures):
                with_it = among[k, row, j] + 2 * (values[k, i] < null[k, row, j]) + (values[k, i] == null[k, row, j])
                other = max(other, with_it)
            below[i] += other < best
            equal[i] += other == best
    return below, equal
