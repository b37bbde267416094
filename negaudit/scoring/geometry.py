"""Weighted residual geometry: the second moment of residual directions, its log-determinant and its trace."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from negaudit.scoring.exact_sum import ExactSum

FLOATS = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Volume:
    """logdet = Σ ln(1 + λ), trace = Σ λ and the largest λ, over the `eigenvalues` λ of I_w (ascending); all >= 0."""

    logdet: float
    trace: float
    lambda_max: float
    eigenvalues: FLOATS = field(repr=False, compare=False)

    def as_dict(self) -> dict[str, float]:
        """Return the three numbers as JSON-ready data."""
        return {"logdet": self.logdet, "trace": self.trace, "lambda_max": self.lambda_max}


class ResidualMoment:
    """Accumulates Σ w r rᵀ over pairs of one weighting; N counts every pair, those with r = 0 included (the paper, appendix B.3)."""

    def __init__(self, dimension: int) -> None:
        self._sum = np.zeros((dimension, dimension))
        self._trace = ExactSum()

    def update(self, weights: FLOATS, residuals: FLOATS) -> None:
        """Add n pairs: weights (n,) >= 0 and residual directions (n, d), each a unit vector or 0."""
        self._sum += (residuals * weights[:, None]).T @ residuals
        self._trace.update(weights * np.einsum("ij,ij->i", residuals, residuals))

    def merge(self, other: ResidualMoment) -> None:
        """Add all that `other` holds."""
        self._sum += other._sum
        self._trace.merge(other._trace)

    def information(self) -> FLOATS:
        """Return I_w = (1/N) Σ w r rᵀ, (d, d), symmetric and positive semidefinite."""
        return np.asarray((self._sum + self._sum.T) / (2 * max(1, self._trace.count)))

    def eigenvalues(self) -> FLOATS:
        """Return the eigenvalues of I_w, ascending, float noise below 0 cut off."""
        return np.asarray(np.maximum(np.linalg.eigvalsh(self.information()), 0.0))

    def result(self) -> Volume:
        """Return log-det, trace and largest eigenvalue of I_w, with all eigenvalues."""
        eigenvalues = self.eigenvalues()
        trace = self._trace.result() / max(1, self._trace.count)
        return Volume(logdet(eigenvalues), trace, float(eigenvalues[-1]), eigenvalues)


def logdet(eigenvalues: FLOATS, scale: float = 1.0) -> float:
    """Return ln det(I + c I_w) = Σ ln(1 + c λ) for c = `scale`, >= 0."""
    return float(np.log1p(scale * eigenvalues).sum())
