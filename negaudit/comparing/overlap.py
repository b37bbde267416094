"""Weights that equalise psi between sources and keep every negative of the common support."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from negaudit.comparing.cells import CELLS
from negaudit.scoring.gates import FLOATS

# Fine enough that psi is equal within a cell for all purposes, coarse enough that every source has some tens of negatives in it.
MOST_CELLS = 500
PER_CELL = 30


def cells_for(smallest: int) -> int:
    """Return how many cells of psi the size of the smallest source bears."""
    return max(1, min(MOST_CELLS, smallest // PER_CELL))


def target(counts: Mapping[str, FLOATS]) -> FLOATS:
    """Return the weight (…, cells) that each cell has in every source: 1 / Σ 1/n over the sources' counts n, 0 where one has none.

    These are the overlap weights of several groups (Li and Li, 2019; for two groups those of Cochran, Mantel and Haenszel): most
    weight where all sources have many negatives, none where one has none, and no single negative weighs much.
    """
    with np.errstate(divide="ignore"):
        return np.asarray(1 / sum(1 / n for n in counts.values()))


def overlap_means(sums: Mapping[str, FLOATS]) -> dict[str, FLOATS]:
    """Return the weighted means (…, values) from sums (…, cells, 1 + values) whose first column counts."""
    weight = target({name: cells[..., 0] for name, cells in sums.items()})
    with np.errstate(divide="ignore", invalid="ignore"):
        within = {name: np.nan_to_num(cells[..., 1:] / cells[..., :1]) for name, cells in sums.items()}
        return {name: (weight[..., None] * mean).sum(-2) / weight.sum(-1)[..., None] for name, mean in within.items()}


def effective_sizes(cells: Mapping[str, CELLS], count: int) -> dict[str, tuple[float, float]]:
    """Return for each source its effective sample size (Σw)² / Σw², and the share of its negatives in the support that weigh anything."""
    counts = {name: np.bincount(cell[cell >= 0], minlength=count).astype(np.float64) for name, cell in cells.items()}
    weight = target(counts)
    sizes = {}
    for name, n in counts.items():
        used = (weight > 0) & (n > 0)
        squares = float((weight[used] ** 2 / n[used]).sum())
        sizes[name] = (float(weight[used].sum()) ** 2 / squares if squares else 0.0, float(n[used].sum() / max(1.0, n.sum())))
    return sizes
