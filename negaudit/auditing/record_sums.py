"""A check's value as sums per record: its mean, its interval over records, and its difference to another source's."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negaudit.auditing.checks.contract import FLOATS, Finding
from negaudit.auditing.checks.sample import Sample
from negaudit.scoring.intervals import percentile_interval, replicate_sums

LEAST_RECORDS = 10  # of fewer records nothing more than `info` is said: no interval over them means anything


@dataclass(frozen=True)
class RecordSums:
    """Per record that the check applies to: the key of its query, the sum of the shares and how many negatives they are of."""

    keys: npt.NDArray[np.uint64]
    sums: FLOATS
    counts: FLOATS

    @classmethod
    def of(cls, finding: Finding, sample: Sample) -> RecordSums:
        """Return the sums of a finding's shares, or of its flags, over the negatives with a value."""
        shares = finding.flags.astype(np.float64) if finding.shares is None else finding.shares
        known = ~np.isnan(finding.values) & ~np.isnan(shares)
        size = len(sample.rows)
        sums = np.bincount(sample.record[known], shares[known], size).astype(np.float64)
        counts = np.bincount(sample.record[known], minlength=size).astype(np.float64)
        return cls(sample.keys[counts > 0], sums[counts > 0], counts[counts > 0])

    @property
    def total(self) -> int:
        """How many negatives the mean is over."""
        return int(self.counts.sum())

    def mean(self) -> float:
        """Return the mean share over negatives; raises ZeroDivisionError where there is none."""
        return math.fsum(self.sums) / self.total

    def replicates(self, count: int, seed: int) -> FLOATS:
        """Return the mean in `count` bootstrap replicates over records, paired with other sources by query; NaN where none was drawn."""
        drawn = replicate_sums(self.keys, np.column_stack([self.sums, self.counts]), count, seed)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(drawn[:, 0] / drawn[:, 1])

    def interval(self, count: int, seed: int) -> tuple[float, float] | None:
        """Return the 95 % interval of the mean; None where `count` is 0."""
        return percentile_interval(self.replicates(count, seed)) if count else None

    def influence(self) -> dict[int, float]:
        """Return each query's part in the mean's deviation: the linear term of a ratio of sums."""
        parts = (self.sums - self.mean() * self.counts) / self.total
        found: dict[int, float] = {}
        for key, part in zip(self.keys.tolist(), parts.tolist(), strict=True):
            found[key] = found.get(key, 0.0) + part
        return found


@dataclass(frozen=True)
class Difference:
    """First mean minus second, its standard error over queries, and the one-sided p-value of the first not being larger."""

    value: float
    error: float
    p: float


def difference(first: RecordSums, second: RecordSums) -> Difference:
    """Return the difference of two sources' means, paired where they share a query, by Student's t on the queries' parts."""
    from scipy.stats import t

    one, other = first.influence(), second.influence()
    parts = np.array([one.get(key, 0.0) - other.get(key, 0.0) for key in sorted(one.keys() | other.keys())])
    freedom = max(1, min(len(one), len(other)) - 1)
    error = math.sqrt(math.fsum(parts**2) * (freedom + 1) / freedom)
    value = first.mean() - second.mean()
    if min(len(one), len(other)) < LEAST_RECORDS:
        return Difference(value, error, 1.0)
    if error == 0:
        return Difference(value, 0.0, 0.0 if value > 0 else 1.0)
    return Difference(value, error, float(t.sf(value / error, freedom)))
