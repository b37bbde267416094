"""Every statistic of a source as sums over its records, which is all that a bootstrap over records needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from negaudit.comparing.scored import ScoredSource
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import replicate_sums
from negaudit.scoring.pairs import PairChunk
from negaudit.scoring.statistics import BUCKETS, STATISTICS, Statistic, per_record
from negaudit.scoring.weightings import WEIGHTINGS, Weighting

PAIRS, RECORDS = 0, 1


@dataclass(frozen=True)
class RecordSums:
    """`columns` (n, 2 + statistics): each record's number of pairs, 1, and its sum of each statistic. A mean is a statistic's column over
    that of its entry in `denominators`, PAIRS or RECORDS.
    """

    names: tuple[str, ...]
    denominators: tuple[int, ...]
    columns: FLOATS

    def means(self) -> dict[str, float]:
        """Return each statistic's mean."""
        return {name: float(mean[0]) for name, mean in self._divided(self.columns.sum(0, keepdims=True)).items()}

    def subset(self, records: npt.NDArray[np.int64]) -> RecordSums:
        """Return the sums of some records alone."""
        return replace(self, columns=self.columns[records])

    def columns_of(self, statistics: Sequence[str]) -> tuple[FLOATS, FLOATS]:
        """Return per record what the means of `statistics` divide and what they divide it by, (n, statistics) each."""
        at = [self.names.index(name) for name in statistics]
        return self.columns[:, [2 + i for i in at]], self.columns[:, [self.denominators[i] for i in at]]

    def replicates(self, source: ScoredSource, count: int, seed: int) -> dict[str, FLOATS]:
        """Return each statistic's mean in `count` bootstrap replicates (count,), paired with other sources by query; {} for 0."""
        if not count:
            return {}
        return self._divided(replicate_sums(source.key, self.columns, count, seed))

    def _divided(self, sums: FLOATS) -> dict[str, FLOATS]:
        with np.errstate(invalid="ignore", divide="ignore"):  # a replicate that drew no record of a tiny source has no value: NaN
            return {name: sums[:, 2 + i] / sums[:, self.denominators[i]] for i, name in enumerate(self.names)}


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Statistic]:
    """Return every mean by the name that results use: statistics, buckets.BUCKET (inversion is inversion_rate) and eci.WEIGHTING.trace."""
    known = {s.name: s for s in STATISTICS} | {f"buckets.{s.name}": s for s in BUCKETS if s.name != "inversion"}
    traces = {f"eci.{name}.trace": Statistic(f"eci.{name}.trace", "pair", _trace(weighting)) for name, weighting in WEIGHTINGS.items()}
    return known | traces


def record_sums(source: ScoredSource) -> RecordSums:
    """Return the sums of every statistic that the source has; without an encoder those of psi and coverage."""
    wanted = {name: s for name, s in catalogue().items() if source.encoded or not s.encoded}
    chunk = source.pairs
    counts = np.diff(np.append(chunk.starts, len(chunk.record))).astype(np.float64)
    columns = [per_record(s, s.values(chunk), chunk) for s in wanted.values()]
    denominators = tuple(PAIRS if s.per == "pair" else RECORDS for s in wanted.values())
    return RecordSums(tuple(wanted), denominators, np.column_stack([counts, np.ones(len(counts)), *columns]))


def _trace(weighting: Weighting) -> Callable[[PairChunk], FLOATS]:
    """W ‖r‖² of each pair, whose mean is the trace (the paper, section 4.2)."""
    return lambda chunk: np.asarray(weighting(chunk) * chunk.residual_norm)
