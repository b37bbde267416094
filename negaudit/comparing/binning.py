"""psi-matched resampling: the same number of negatives from every source in each equal-width bin of psi, many times over."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from negaudit.comparing.cells import CELLS, CellSums
from negaudit.comparing.threads import over_ranges
from negaudit.scoring.gates import FLOATS

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Resampled:
    """`retained` negatives per source in `bins_used` bins; `means` (repetitions, values) of each source's matched negatives."""

    retained: int
    bins_used: int
    means: dict[str, FLOATS]


def quota(counts: Mapping[str, FLOATS]) -> FLOATS:
    """Return how many negatives each bin gives of every source: the smallest source's count."""
    return np.asarray(np.minimum.reduce(list(counts.values())))


def resampled(cells: Mapping[str, CELLS], values: Mapping[str, FLOATS], bins: int, repetitions: int, seed: int) -> Resampled:
    """Return the matched means of each of `repetitions` draws without replacement (the paper, section 5.2).

    A draw is a function of (seed, bins, source, repetition) and of the pairs in the order they come in.
    """
    counts = {name: np.bincount(cell[cell >= 0], minlength=bins).astype(np.float64) for name, cell in cells.items()}
    wanted = quota(counts).astype(np.int64)
    means = {}
    for name, cell in cells.items():
        order = np.argsort(cell, kind="stable")[int((cell < 0).sum()) :]
        means[name] = _repeated(values[name][order], counts[name].astype(np.int64), wanted, repetitions, _seed(seed, bins, name))
    return Resampled(int(wanted.sum()), int((wanted > 0).sum()), means)


def expected_means(sums: Mapping[str, FLOATS]) -> dict[str, FLOATS]:
    """Return the matched means (…, values) that repetitions scatter around, from sums (…, bins, 1 + values) whose first column counts."""
    wanted = quota({name: cells[..., 0] for name, cells in sums.items()})
    with np.errstate(invalid="ignore", divide="ignore"):
        within = {name: np.nan_to_num(cells[..., 1:] / cells[..., :1]) for name, cells in sums.items()}
        return {name: (wanted[..., None] * mean).sum(-2) / wanted.sum(-1)[..., None] for name, mean in within.items()}


def orderings(means: Mapping[str, FLOATS], column: int) -> dict[str, int]:
    """Return how many repetitions gave each ordering of the sources, "a > b > c", the commonest first; equal values go by name."""
    names = sorted(means)
    table = np.column_stack([means[name][:, column] for name in names])
    found = Counter(" > ".join(names[i] for i in row) for row in np.argsort(-table, axis=1, kind="stable"))
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def imbalance(sums: Mapping[str, CellSums], psi: int) -> tuple[float, float]:
    """Return what matching leaves: the largest difference of the sources' matched mean psi, and the largest within one bin."""
    observed = {name: s.observed for name, s in sums.items()}
    matched = [float(means[psi]) for means in expected_means(observed).values()]
    used = quota({name: cells[:, 0] for name, cells in observed.items()}) > 0
    within = np.array([cells[used, 1 + psi] / cells[used, 0] for cells in observed.values()])
    return max(matched) - min(matched), float((within.max(0) - within.min(0)).max())


def slope_within_bins(cells: Mapping[str, CELLS], values: Mapping[str, FLOATS], bins: int, psi: int) -> FLOATS:
    """Return the slope of every value on psi within bins and sources, (values,): what a difference of psi left in the bins is worth."""
    cross, square = np.zeros(next(iter(values.values())).shape[1]), 0.0
    for name, cell in cells.items():
        there, inside = cell[cell >= 0], values[name][cell >= 0]
        counts = np.maximum(np.bincount(there, minlength=bins), 1)
        centre = np.column_stack([np.bincount(there, weights=column, minlength=bins) / counts for column in inside.T])
        deviation = inside - centre[there]
        cross += deviation[:, psi] @ deviation
        square += float(deviation[:, psi] @ deviation[:, psi])
    return cross / square if square else cross


def _seed(seed: int, bins: int, name: str) -> np.uint64:
    return np.uint64(int.from_bytes(hashlib.blake2b(f"{seed}\0{bins}\0{name}".encode(), digest_size=8).digest(), "little"))


def _repeated(values: FLOATS, counts: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64], repetitions: int, seed: np.uint64) -> FLOATS:
    values = np.ascontiguousarray(values)
    parts = over_ranges(lambda first, stop: np.asarray(_matched(values, counts, wanted, first, stop, seed)), repetitions)
    return np.concatenate(parts)


@njit(cache=True, nogil=True)
def _matched(values: Any, counts: Any, wanted: Any, first: int, stop: int, seed: Any) -> Any:
    """Return the means over wanted[b] of the counts[b] rows of each bin, rows sorted by bin, drawn by selection sampling (Knuth's S)."""
    means = np.zeros((stop - first, values.shape[1]))
    total = max(1, wanted.sum())
    for repetition in range(first, stop):
        state = seed + np.uint64(repetition + 1) * np.uint64(0xD1B54A32D192ED03)
        sums = np.zeros(values.shape[1])
        row = 0
        for b in range(len(counts)):
            needed = wanted[b]
            for left in range(counts[b], 0, -1):
                if needed == 0:
                    break
                state += _GOLDEN
                z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                uniform = np.float64((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53
                if uniform * left < needed:
                    needed -= 1
                    at = row + counts[b] - left
                    for v in range(values.shape[1]):
                        sums[v] += values[at, v]
            row += counts[b]
        means[repetition - first] = sums / total
    return means
