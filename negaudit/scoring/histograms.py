"""Counts of psi, rho and eta in fixed bins, which is all that plots need of millions of pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from negaudit.scoring.pairs import PairChunk

BINS = 50
MAP_BINS = 20


class Histograms:
    """Accumulates counts in equal bins of [0, 1]: BINS for psi, rho and eta, MAP_BINS x MAP_BINS for (psi, rho)."""

    def __init__(self, *, encoded: bool) -> None:
        self._encoded = encoded
        self._counts: dict[str, npt.NDArray[np.int64]] = {"psi": np.zeros(BINS, np.int64)}
        if encoded:
            self._counts |= {"rho": np.zeros(BINS, np.int64), "eta": np.zeros(BINS, np.int64)}
            self._counts["psi_rho"] = np.zeros((MAP_BINS, MAP_BINS), np.int64)

    def update(self, chunk: PairChunk) -> None:
        """Add the pairs of `chunk`."""
        self._counts["psi"] += np.bincount(_bins(chunk.psi, BINS), minlength=BINS)
        if self._encoded:
            self._counts["rho"] += np.bincount(_bins(chunk.rho, BINS), minlength=BINS)
            self._counts["eta"] += np.bincount(_bins(chunk.eta, BINS), minlength=BINS)
            cells = _bins(chunk.psi, MAP_BINS) * MAP_BINS + _bins(chunk.rho, MAP_BINS)
            self._counts["psi_rho"] += np.bincount(cells, minlength=MAP_BINS**2).reshape(MAP_BINS, MAP_BINS)

    def merge(self, other: Histograms) -> None:
        """Add all that `other` holds."""
        for name, counts in other._counts.items():
            self._counts[name] += counts

    def result(self) -> dict[str, list[int] | list[list[int]]]:
        """Return the counts by name as JSON-ready lists; psi_rho by rows of psi."""
        return {name: counts.tolist() for name, counts in self._counts.items()}


def _bins(values: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.int64]:
    return np.minimum((values * count).astype(np.int64), count - 1)
