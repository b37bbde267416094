"""All that is accumulated of one source: means, buckets, geometry, histograms and per-record sums for intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.scoring.blocks import PairBlocks
from negaudit.scoring.exact_sum import ExactSum
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.geometry import ResidualMoment, volumes
from negaudit.scoring.groups import group_sums
from negaudit.scoring.histograms import Histograms
from negaudit.scoring.intervals import replicate_sums
from negaudit.scoring.pairs import PairChunk
from negaudit.scoring.statistics import BUCKETS, STATISTICS, Statistic, per_record
from negaudit.scoring.weightings import WEIGHTINGS

GROUPED = ("mean_psi", "mean_rho", "mean_eta", "inversion_rate")


class Description:
    """The accumulators of one source: `update` with chunks of whole records, `merge` with another part, then `summary` and `replicates`."""

    def __init__(self, dimension: int | None) -> None:
        encoded = dimension is not None
        self.statistics = [s for s in STATISTICS if encoded or not s.encoded]
        self._buckets = [s for s in BUCKETS if encoded or not s.encoded]
        self._sums = {s.name: ExactSum() for s in (*self.statistics, *self._buckets)}
        self._moments = {name: ResidualMoment(dimension) for name in WEIGHTINGS} if dimension is not None else {}
        self._blocks = PairBlocks(self._add_block)
        self._histograms = Histograms(encoded=encoded)
        self._keys: list[npt.NDArray[np.uint64]] = []
        self._records: list[FLOATS] = []

    def update(self, chunk: PairChunk, keys: npt.NDArray[np.uint64], residuals: FLOATS | None = None) -> None:
        """Add the pairs of `chunk`; `keys` are those of its records, `residuals` (n, d) are there with an encoder."""
        values = {s.name: s.values(chunk) for s in (*self.statistics, *self._buckets)}
        for name, value in values.items():
            self._sums[name].update(value)
        if residuals is not None:
            self._blocks.update(np.stack([weighting(chunk) for weighting in WEIGHTINGS.values()], axis=1), residuals)
        self._histograms.update(chunk)
        columns = [per_record(s, values[s.name], chunk) for s in self.statistics]
        counts = np.diff(np.append(chunk.starts, len(chunk.record))).astype(np.float64)
        self._records.append(np.column_stack([counts, np.ones(len(counts)), *columns]))
        self._keys.append(keys)

    def _add_block(self, weights: FLOATS, residuals: FLOATS) -> None:
        for column, moment in enumerate(self._moments.values()):
            moment.update(weights[:, column], residuals)

    def merge(self, other: Description) -> None:
        """Add all that `other` holds."""
        for name, total in other._sums.items():
            self._sums[name].merge(total)
        self._blocks.flush()
        other._blocks.flush()
        for name, moment in other._moments.items():
            self._moments[name].merge(moment)
        self._histograms.merge(other._histograms)
        self._keys += other._keys
        self._records += other._records

    def summary(self) -> dict[str, Any]:
        """Return the statistics, buckets, ECI and histograms as JSON-ready data; intervals come from `replicates`."""
        body: dict[str, Any] = {s.name: self._sums[s.name].mean() for s in self.statistics}
        body["buckets"] = {s.name: self._sums[s.name].mean() for s in self._buckets}
        self._blocks.flush()
        if self._moments:
            body["eci"] = volumes(self._moments)
        body["histograms"] = self._histograms.result()
        body["groups"] = self._groups()
        return body

    def _groups(self) -> dict[str, Any]:
        """Return the sums by group of queries of those statistics that are means over pairs and make a profile."""
        records = np.concatenate(self._records)
        at = {s.name: column for column, s in enumerate(self.statistics, start=2) if s.name in GROUPED}
        return group_sums(np.concatenate(self._keys), records[:, 0], records[:, list(at.values())], list(at))

    def replicates(self, count: int, seed: int) -> dict[str, FLOATS]:
        """Return each statistic's value in `count` bootstrap replicates over records, paired with other sources by query."""
        if not count:
            return {}
        drawn = replicate_sums(np.concatenate(self._keys), np.concatenate(self._records), count, seed)
        with np.errstate(invalid="ignore"):  # a replicate that drew no record of a tiny source has no value: NaN
            return {s.name: drawn[:, column] / drawn[:, _denominator(s)] for column, s in enumerate(self.statistics, start=2)}


def _denominator(statistic: Statistic) -> int:
    return 0 if statistic.per == "pair" else 1
