"""The properties of the weighted residual geometry (the paper, appendix B.3)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from negaudit.scoring.gates import Similarities
from negaudit.scoring.geometry import ResidualMoment, logdet
from negaudit.scoring.pairs import PairChunk
from negaudit.scoring.weightings import WEIGHTINGS
from tests import reference

UNIT = st.floats(0, 1)


@st.composite
def weighted_directions(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Weights (n,) and n residuals in four dimensions, each a unit vector or 0."""
    n = draw(st.integers(1, 12))
    vectors = draw(arrays(np.float64, (n, 4), elements=st.floats(-1, 1, allow_subnormal=False)))
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    directions = np.where(norms > 1e-3, vectors / np.where(norms > 1e-3, norms, 1), 0.0)
    return draw(arrays(np.float64, n, elements=st.floats(0, 5, allow_subnormal=False))), directions


def moment(weights: np.ndarray, directions: np.ndarray) -> ResidualMoment:
    found = ResidualMoment(directions.shape[1])
    found.update(weights, directions)
    return found


@given(weighted_directions(), st.floats(0.1, 300))
@settings(deadline=None)
def test_the_moment_is_positive_semidefinite_and_logdet_lies_between_zero_and_the_scaled_trace(
    pairs: tuple[np.ndarray, np.ndarray], scale: float
) -> None:
    found = moment(*pairs)
    result = found.result()
    assert np.linalg.eigvalsh(found.information()).min() >= -1e-12
    assert 0 <= logdet(found.eigenvalues(), scale) <= scale * result.trace + 1e-12 * max(1, scale)
    assert (result.logdet <= 1e-12) == (np.abs(found.information()).max() <= 1e-12)


@given(weighted_directions())
@settings(deadline=None)
def test_logdet_and_trace_equal_slogdet_of_the_dense_matrix(pairs: tuple[np.ndarray, np.ndarray]) -> None:
    result = moment(*pairs).result()
    volume, trace = reference.volume(*pairs)
    assert result.logdet == pytest.approx(volume, rel=1e-8, abs=1e-10)
    assert result.trace == pytest.approx(trace, rel=1e-9, abs=1e-12)


@given(weighted_directions(), st.integers(0, 12))
@settings(deadline=None)
def test_merging_two_parts_equals_scoring_the_whole(pairs: tuple[np.ndarray, np.ndarray], cut: int) -> None:
    weights, directions = pairs
    first, second = moment(weights[:cut], directions[:cut]), moment(weights[cut:], directions[cut:])
    first.merge(second)
    assert first.information() == pytest.approx(moment(weights, directions).information(), abs=1e-12)
    assert first.result().trace == moment(weights, directions).result().trace


@given(st.floats(0.01, 50))
def test_one_direction_of_weight_w_gives_the_logarithm_of_one_plus_w(weight: float) -> None:
    direction = np.array([[0.6, 0.8, 0.0]])
    assert moment(np.array([weight]), direction).result().logdet == pytest.approx(np.log1p(weight), rel=1e-10)


@given(st.floats(0.05, 50), st.floats(0.05, 0.95), st.floats(0.1, 1.5))
def test_spreading_weight_over_two_directions_strictly_raises_logdet(weight: float, share: float, angle: float) -> None:
    one, other = np.array([1.0, 0.0]), np.array([np.cos(angle), np.sin(angle)])
    spread = moment(np.array([share * weight, (1 - share) * weight]), np.stack([one, other])).result()
    alone = moment(np.array([weight, 0.0]), np.stack([one, other])).result()
    assert spread.logdet > alone.logdet
    assert spread.trace == pytest.approx(alone.trace)


def test_pairs_without_direction_count_in_n() -> None:
    half = moment(np.array([1.0, 1.0]), np.array([[1.0, 0.0], [0.0, 0.0]])).result()
    assert half.trace == 0.5
    assert half.logdet == pytest.approx(np.log(1.5))


def chunk_with(rho: np.ndarray, eta: float, psi: float) -> PairChunk:
    """Return a chunk at tau = 1 whose cosines give these gates: the logits of rho and eta as margins."""
    margin, locality = np.log(rho / (1 - rho)), np.full(len(rho), np.log(eta / (1 - eta)))
    zero = np.zeros(len(rho))
    cosines = Similarities(margin, zero, locality)
    return PairChunk(np.arange(len(rho)), zero.astype(np.int32), np.full(len(rho), 1 - psi), 1.0, cosines, zero > -1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("composite", 0.8 * 0.5 * 0.25),
        ("drop_rho", 0.5 * 0.25),
        ("drop_eta", 0.8 * 0.25),
        ("drop_psi", 0.8 * 0.5),
        ("uniform", 1.0),
        ("margin_hardness", -np.log(0.8)),
        ("gradient", 0.2**2 * 0.5 * 0.25),
        ("two_sided", 0.8**2 * 0.2),
        ("two_sided_eta", 0.8**2 * 0.2 * 0.5),
        ("boundary_psi", 0.8 * 0.2 * 0.25),
        ("boundary_eta_psi", 0.8 * 0.2 * 0.5 * 0.25),
        ("capped_99", 0.8 * 0.5 * 0.25),
        ("capped_999", 0.8 * 0.5 * 0.25),
    ],
)
def test_each_weighting_is_its_formula(name: str, expected: float) -> None:
    chunk = chunk_with(rho=np.array([0.8]), eta=0.5, psi=0.25)
    assert WEIGHTINGS[name](chunk)[0] == pytest.approx(expected)


@pytest.mark.parametrize(("name", "kept"), [("capped_99", [True, False, False]), ("capped_999", [True, True, False])])
def test_a_cap_takes_the_weight_of_pairs_at_or_above_it(name: str, kept: list[bool]) -> None:
    chunk = chunk_with(rho=np.array([0.98, 0.9901, 0.9991]), eta=0.5, psi=1.0)
    assert (WEIGHTINGS[name](chunk) > 0).tolist() == kept
