"""A sum that does not depend on the order of its terms: fixed-point integers, rounded once at the end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

_HALF = 26  # bits of a limb; a value becomes an integer multiple of 2**-52, kept as two limbs so that int64 cannot overflow


@dataclass(slots=True)
class ExactSum:
    """The sum of float64 values below 2**10 in size, each taken to the nearest multiple of 2**-52, and how many there were.

    Integer addition is associative, so chunks, workers and row order leave no trace in the result.
    """

    high: int = 0
    low: int = 0
    count: int = 0

    def update(self, values: npt.NDArray[np.float64]) -> None:
        """Add `values` (any shape)."""
        scaled = np.asarray(values, np.float64) * 2.0**_HALF
        high = np.floor(scaled)
        low = np.rint((scaled - high) * 2.0**_HALF)
        self.high += int(high.astype(np.int64).sum())
        self.low += int(low.astype(np.int64).sum())
        self.count += int(scaled.size)

    def merge(self, other: ExactSum) -> None:
        """Add all that `other` holds."""
        self.high += other.high
        self.low += other.low
        self.count += other.count

    def result(self) -> float:
        """Return the sum."""
        return float(Fraction((self.high << _HALF) + self.low, 1 << (2 * _HALF)))

    def mean(self) -> float:
        """Return the mean, rounded once; raises ZeroDivisionError where nothing was added."""
        return float(Fraction((self.high << _HALF) + self.low, self.count << (2 * _HALF)))
