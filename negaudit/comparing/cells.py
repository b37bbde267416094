"""Sums of pairs' values within cells of psi, once and under every bootstrap replicate over records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from negaudit.comparing.scored import ScoredSource
from negaudit.comparing.threads import over_ranges
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import POISSON, record_weight

CELLS = npt.NDArray[np.int32]
OUTSIDE = -1


@dataclass(frozen=True)
class CellSums:
    """Sums (cells, values) of one source as it is, and (replicates, cells, values) under the bootstrap."""

    observed: FLOATS
    drawn: FLOATS


def cell_sums(source: ScoredSource, cell: CELLS, values: FLOATS, cells: int, replicates: int, seed: int) -> CellSums:
    """Return the sums of `values` (pairs, v) within each of `cells` cells; pairs whose `cell` is OUTSIDE have no part.

    The weights are those of `replicate_sums`: whole records, paired over queries.
    """
    starts = np.append(source.pairs.starts, len(cell))
    number = np.uint64(seed % 2**64)
    values = np.ascontiguousarray(values)

    def some(first: int, stop: int) -> FLOATS:
        return np.asarray(_drawn(source.key, starts, cell, values, cells, first, stop, number, POISSON))

    parts = over_ranges(some, replicates)
    drawn = np.concatenate(parts) if parts else np.empty((0, cells, values.shape[1]))
    return CellSums(np.asarray(_observed(cell, values, cells)), drawn)


@njit(cache=True, nogil=True)
def _observed(cell: Any, values: Any, cells: int) -> Any:
    sums = np.zeros((cells, values.shape[1]))
    for i in range(len(cell)):
        if cell[i] >= 0:
            for v in range(values.shape[1]):
                sums[cell[i], v] += values[i, v]
    return sums


@njit(cache=True, nogil=True)
def _drawn(keys: Any, starts: Any, cell: Any, values: Any, cells: int, first: int, stop: int, seed: Any, poisson: Any) -> Any:
    """Sum under the weights of replicates [first, stop); a record's pairs lie at starts[record] : starts[record + 1]."""
    sums = np.zeros((stop - first, cells, values.shape[1]))
    for b in range(first, stop):
        into = sums[b - first]
        for record in range(len(keys)):
            weight = record_weight(keys[record], b, seed, poisson)
            if weight:
                for i in range(starts[record], starts[record + 1]):
                    if cell[i] >= 0:
                        for v in range(values.shape[1]):
                            into[cell[i], v] += weight * values[i, v]
    return sums
