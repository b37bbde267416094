"""Where the psi of several sources overlaps, and its division into cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from negaudit.comparing.cells import CELLS, OUTSIDE
from negaudit.errors import NegauditError
from negaudit.scoring.gates import BOOLS, FLOATS


@dataclass(frozen=True)
class Support:
    """The common support of psi: from the largest of the sources' smallest values to the smallest of their largest, ends included."""

    low: float
    high: float

    def holds(self, psi: FLOATS) -> BOOLS:
        """Return which values lie in the support."""
        return np.asarray((psi >= self.low) & (psi <= self.high))


def common_support(psi: Mapping[str, FLOATS]) -> Support:
    """Return the common support of the sources' psi; raises NegauditError where there is none."""
    support = Support(max(float(p.min()) for p in psi.values()), min(float(p.max()) for p in psi.values()))
    if support.low > support.high:
        ranges = ", ".join(f"{name} {p.min():.3f} to {p.max():.3f}" for name, p in psi.items())
        raise NegauditError(f"the sources share no value of psi ({ranges}), so nothing can be matched; choose others with --source")
    return support


def equal_width(psi: FLOATS, support: Support, bins: int) -> CELLS:
    """Return each value's bin of `bins` equal ones over the support, the last closed; OUTSIDE for the rest."""
    width = (support.high - support.low) / bins
    at = np.floor((psi - support.low) / width) if width else np.zeros(len(psi))
    return np.where(support.holds(psi), np.clip(at, 0, bins - 1), OUTSIDE).astype(np.int32)


def quantile_edges(psi: Mapping[str, FLOATS], support: Support, most: int) -> FLOATS:
    """Return at most `most` + 1 ascending edges over the support, at quantiles of psi with every source weighing the same."""
    fine = np.linspace(0, 1, 20 * most + 1)
    pooled = np.concatenate([np.quantile(p[support.holds(p)], fine) for p in psi.values()])
    return np.unique(np.concatenate([[support.low], np.quantile(pooled, np.linspace(0, 1, most + 1)[1:-1]), [support.high]]))


def between(psi: FLOATS, support: Support, edges: FLOATS) -> CELLS:
    """Return each value's cell between ascending `edges`, the last one closed; OUTSIDE for what is not in the support."""
    at = np.clip(np.searchsorted(edges, psi, side="right") - 1, 0, max(0, len(edges) - 2))
    return np.where(support.holds(psi), at, OUTSIDE).astype(np.int32)
