"""The frozen-encoder gates of each pair: positive preference rho, passage locality eta, and who outranks whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FLOATS = npt.NDArray[np.float64]
BOOLS = npt.NDArray[np.bool_]
TIE = 1e-6  # how far u·v- must lie above u·v+ to count as an inversion; less is float noise
ZERO_RESIDUAL = {"fp32": 1e-4, "bf16": 1e-2, "fp16": 2e-3}  # ‖v+ - v-‖ up to which two vectors count as one, by precision


@dataclass(frozen=True)
class Similarities:
    """Cosines of n pairs, each in [-1, 1]: u·v+ (`positive`), u·v- (`negative`) and v+·v- (`between`)."""

    positive: FLOATS
    negative: FLOATS
    between: FLOATS


def similarities(query: FLOATS, positive: FLOATS, negative: FLOATS, equal: BOOLS) -> Similarities:
    """Return the cosines of unit vectors (n, d); where the texts of positive and negative are `equal`, the pair is an exact tie."""
    s_pos = np.einsum("ij,ij->i", query, positive)
    s_neg = np.einsum("ij,ij->i", query, negative)
    between = np.einsum("ij,ij->i", positive, negative)
    return Similarities(s_pos, np.where(equal, s_pos, s_neg), np.where(equal, 1.0, between))


def sigmoid(x: FLOATS) -> FLOATS:
    """Return 1 / (1 + exp(-x)) without overflow."""
    decay = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + decay), decay / (1 + decay))


def softplus(x: FLOATS) -> FLOATS:
    """Return ln(1 + exp(x)) without overflow."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def rho(s: Similarities, tau: float) -> FLOATS:
    """Return sigmoid((u·v+ - u·v-) / tau) in [0, 1], the two-document probability of the positive (the paper, appendix B.2)."""
    return sigmoid((s.positive - s.negative) / tau)


def eta(s: Similarities, tau: float) -> FLOATS:
    """Return sigmoid((v+·v- - u·v-) / tau) in [0, 1], how much nearer the negative is to the positive than to the query (section 4.1)."""
    return sigmoid((s.between - s.negative) / tau)


def inverted(s: Similarities) -> BOOLS:
    """Return where the negative outranks the positive by more than float noise; a tie is no inversion.

    The paper counts rho < 0.5, by which exact copies of the positive come out inverted about a third of the time, by noise alone.
    """
    return s.negative - s.positive > TIE


def residuals(positive: FLOATS, negative: FLOATS, equal: BOOLS, zero: float) -> FLOATS:
    """Return r = (v+ - v-) / ‖v+ - v-‖ of each pair, (n, d) (the paper, appendix B.3).

    r is 0 where the texts are equal or the difference is at most `zero`.
    """
    delta = positive - negative
    norm = np.sqrt(np.einsum("ij,ij->i", delta, delta))
    none = equal | (norm <= zero)
    return delta * (np.where(none, 0.0, 1.0) / np.where(none, 1.0, norm))[:, None]
