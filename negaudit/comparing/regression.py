"""Differences between sources at equal psi by regression: a level per source and one smooth curve of psi for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negaudit.comparing.cells import CELLS
from negaudit.comparing.support import Support, between
from negaudit.scoring.gates import FLOATS

KNOTS = 20


@dataclass(frozen=True)
class Curve:
    """A piecewise linear curve of psi with knots at `edges`, and a level of its own at each of `atoms` (psi exactly 0 or 1, which is
    many negatives). `intervals` are the cells between edges, then the atoms.
    """

    edges: FLOATS
    atoms: tuple[float, ...]

    @property
    def intervals(self) -> int:
        """How many cells of psi there are, atoms included."""
        return max(1, len(self.edges) - 1) + len(self.atoms)

    @property
    def terms(self) -> int:
        """How many coefficients the curve has."""
        return max(2, len(self.edges)) + len(self.atoms)

    def cells(self, psi: FLOATS, support: Support) -> CELLS:
        """Return each value's cell; OUTSIDE where it is not in the support."""
        cell = between(psi, support, self.edges)
        for i, atom in enumerate(self.atoms):
            cell = np.where((cell >= 0) & (psi == atom), self.intervals - len(self.atoms) + i, cell)
        return cell.astype(np.int32)

    def positions(self, psi: FLOATS, cell: CELLS) -> FLOATS:
        """Return where in its interval each value lies, 0 to 1; 0 at an atom and outside."""
        smooth = (cell >= 0) & (cell < self.intervals - len(self.atoms)) & (len(self.edges) > 1)
        at = np.where(smooth, cell, 0)
        low, high = self.edges[at], self.edges[np.minimum(at + 1, len(self.edges) - 1)]
        return np.where(smooth & (high > low), (psi - low) / np.where(high > low, high - low, 1.0), 0.0)


def moment_values(outcomes: FLOATS, position: FLOATS) -> FLOATS:
    """Return per pair what the normal equations need summed by cell: 1, u, u², then y and u·y of each outcome; u is the position."""
    products = [column for y in outcomes.T for column in (y, position * y)]
    return np.column_stack([np.ones(len(position)), position, position**2, *products])


def solved(sums: Mapping[str, FLOATS], curve: Curve) -> tuple[FLOATS, FLOATS]:
    """Return the least-squares coefficients (…, sources + terms, outcomes) from sums (…, cells, moments) of each source, and (XᵀX)⁺.

    The first coefficients are the sources' levels, of which only differences have a meaning: the curve could hold any constant.
    """
    gram, right = _normal_equations(list(sums.values()), curve)
    inverse = np.asarray(np.linalg.pinv(gram, rcond=1e-10, hermitian=True), np.float64)
    return inverse @ right, inverse


def clustered_errors(
    contrast: FLOATS,
    inverse: FLOATS,
    residuals: Sequence[FLOATS],
    cells: Sequence[tuple[CELLS, FLOATS]],
    clusters: Sequence[npt.NDArray[np.int64]],
    curve: Curve,
) -> FLOATS:
    """Return the standard error (outcomes,) of a contrast of coefficients, clustered by query over all sources (Liang and Zeger, 1986).

    One entry per source: `residuals` (pairs, outcomes), `cells` (cell, position) and the query's number of each pair in the support.
    """
    direction = inverse @ contrast
    count = 1 + max(int(c.max()) for c in clusters if len(c))
    scores = np.zeros((count, residuals[0].shape[1]))
    for number, (error, (cell, position), cluster) in enumerate(zip(residuals, cells, clusters, strict=True)):
        reach = direction[number] + curve_at(direction[len(cells) :], cell, position, curve)
        for column in range(error.shape[1]):
            scores[:, column] += np.bincount(cluster, weights=reach * error[:, column], minlength=count)
    used = len(np.unique(np.concatenate(clusters)))
    return np.asarray(np.sqrt((scores**2).sum(0) * used / max(1, used - 1)))


def curve_at(coefficients: FLOATS, cell: CELLS, position: FLOATS, curve: Curve) -> FLOATS:
    """Return the curve's value at each pair, whose coefficients are (terms, …)."""
    smooth = cell < curve.intervals - len(curve.atoms)
    left = np.where(smooth, cell, cell + 1)
    right = np.where(smooth, cell + 1, left)
    u = position.reshape(-1, *(1,) * (coefficients.ndim - 1))
    return np.asarray((1 - u) * coefficients[left] + u * coefficients[right])


def level_means(coefficients: FLOATS, sums: Mapping[str, FLOATS], curve: Curve) -> FLOATS:
    """Return (…, sources, outcomes): each source's level plus the mean of the curve over the support, all sources weighing the same."""
    names = list(sums)
    shares = [_loads(sums[name], curve) / np.maximum(sums[name][..., 0].sum(-1), 1)[..., None] for name in names]
    average = sum(shares[1:], shares[0]) / len(names)
    curve_mean = np.einsum("...t,...to->...o", average, coefficients[..., len(names) :, :])
    return np.asarray(coefficients[..., : len(names), :] + curve_mean[..., None, :])


def _loads(moments: FLOATS, curve: Curve) -> FLOATS:
    """Return the sum (…, terms) of every term of the curve over a source's pairs."""
    return _spread(moments[..., 0] - moments[..., 1], moments[..., 1], curve)


def _spread(left: FLOATS, right: FLOATS, curve: Curve) -> FLOATS:
    """Add what cells (…, cells) give to the knot on their left and on their right; an atom has one term of its own."""
    smooth = curve.intervals - len(curve.atoms)
    into = np.zeros((*left.shape[:-1], curve.terms))
    into[..., :smooth] += left[..., :smooth]
    into[..., 1 : smooth + 1] += right[..., :smooth]
    into[..., smooth + 1 :] += left[..., smooth:]
    return into


def _normal_equations(sums: Sequence[FLOATS], curve: Curve) -> tuple[FLOATS, FLOATS]:
    """Return XᵀX and Xᵀy from the sources' sums by cell: neighbouring knots meet only within one cell."""
    sources, total = len(sums), sum(sums[1:], sums[0])
    lead, size, smooth = total.shape[:-2], len(sums) + curve.terms, curve.intervals - len(curve.atoms)
    outcomes = (total.shape[-1] - 3) // 2
    gram, right = np.zeros((*lead, size, size)), np.zeros((*lead, size, outcomes))
    for number, moments in enumerate(sums):
        gram[..., number, number] = moments[..., 0].sum(-1)
        gram[..., number, sources:] = gram[..., sources:, number] = _loads(moments, curve)
        right[..., number, :] = moments[..., 3::2].sum(-2)
    n, u, uu = total[..., 0], total[..., 1], total[..., 2]
    knots = np.arange(curve.terms) + sources
    gram[..., knots, knots] = _spread(n - 2 * u + uu, uu, curve)
    gram[..., knots[:smooth], knots[1 : smooth + 1]] = gram[..., knots[1 : smooth + 1], knots[:smooth]] = (u - uu)[..., :smooth]
    for outcome in range(outcomes):
        y, uy = total[..., 3 + 2 * outcome], total[..., 4 + 2 * outcome]
        right[..., sources:, outcome] = _spread(y - uy, uy, curve)
    return gram, right
