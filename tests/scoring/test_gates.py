"""Gates, residuals and statistics of single pairs, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from negaudit.scoring.gates import Similarities, eta, inverted, residuals, rho, sigmoid, similarities, softplus
from negaudit.scoring.pairs import PairChunk
from negaudit.scoring.statistics import BUCKETS, STATISTICS

PLAIN = np.array([False])


def cosines(positive: float, negative: float, between: float) -> Similarities:
    return Similarities(np.array([positive]), np.array([negative]), np.array([between]))


def test_rho_and_eta_are_sigmoids_of_margins_over_tau() -> None:
    s = cosines(0.8, 0.7, 0.9)
    assert rho(s, 0.05)[0] == pytest.approx(1 / (1 + math.exp(-2)), abs=1e-12)
    assert eta(s, 0.05)[0] == pytest.approx(1 / (1 + math.exp(-4)), abs=1e-12)
    assert rho(s, 0.1)[0] == pytest.approx(1 / (1 + math.exp(-1)), abs=1e-12)


def test_equal_texts_are_a_tie_whatever_float_noise_says() -> None:
    u, v = np.array([[0.6, 0.8]]), np.array([[1.0, 0.0]])
    s = similarities(u, v, v + 1e-5, np.array([True]))
    assert (s.negative == s.positive).all()
    assert s.between[0] == 1.0
    assert not inverted(s)[0]
    assert rho(s, 0.05)[0] == 0.5
    assert not residuals(v, v + 1e-5, np.array([True]), 1e-9).any()


@pytest.mark.parametrize(("margin", "expected"), [(0.0, False), (9e-7, False), (2e-6, True), (-0.1, False)])
def test_a_tie_within_a_millionth_is_no_inversion(margin: float, expected: bool) -> None:
    assert inverted(cosines(0.5, 0.5 + margin, 0.0))[0] == expected


def test_a_residual_is_a_unit_direction_or_zero_below_the_threshold() -> None:
    positive = np.array([[1.0, 0.0], [1.0, 0.0]])
    negative = np.array([[0.0, 1.0], [1.0 - 5e-5, 0.0]])
    r = residuals(positive, negative, np.array([False, False]), 1e-4)
    assert r[0] == pytest.approx([math.sqrt(0.5), -math.sqrt(0.5)])
    assert not r[1].any()


def test_sigmoid_and_softplus_do_not_overflow() -> None:
    extremes = np.array([-1e4, 0.0, 1e4])
    with np.errstate(all="raise", under="ignore"):
        assert sigmoid(extremes).tolist() == [0.0, 0.5, 1.0]
        assert softplus(extremes) == pytest.approx([0.0, math.log(2), 1e4])


def chunk_of_two_records() -> PairChunk:
    """One record with two negatives, one of them inverted; one record with one."""
    s = Similarities(np.array([0.5, 0.5, 0.9]), np.array([0.6, 0.4, 0.2]), np.array([0.7, 0.1, 0.0]))
    return PairChunk(np.array([3, 3, 8]), np.array([0, 1, 0], np.int32), np.array([0.5, 0.25, 0.0]), 0.05, s, np.array([True] * 3))


def mean(name: str) -> float:
    statistic = next(s for s in (*STATISTICS, *BUCKETS) if s.name == name)
    return float(statistic.values(chunk_of_two_records()).mean())


def test_statistics_equal_hand_computed_values() -> None:
    g = [1 / (1 + math.exp(2)), 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(-14))]
    assert mean("mean_psi") == pytest.approx(0.75)
    assert mean("mean_rho") == pytest.approx(sum(g) / 3)
    assert mean("inversion_rate") == pytest.approx(1 / 3)
    assert mean("ambiguity") == 0.5
    assert mean("margin_hardness") == pytest.approx(-sum(math.log(x) for x in g) / 3)
    energy = [(1 - g[0]) ** 2 * 0.6, (1 - g[1]) ** 2 * 1.8, (1 - g[2]) ** 2 * 2.0]
    assert mean("gradient_energy") == pytest.approx(sum(energy) / 3 / 0.05**2)
    first = math.log(math.exp(10) + math.exp(12) + math.exp(8)) - 10
    second = math.log(math.exp(18) + math.exp(4)) - 18
    assert mean("mnrl_proxy") == pytest.approx((first + second) / 2)


def test_buckets_count_what_their_bounds_say() -> None:
    # eta: sigmoid(2), sigmoid(-6), sigmoid(-4); rho: low, .88, ~1; psi: .5, .75, 1
    assert mean("low_locality") == pytest.approx(2 / 3)
    assert mean("high_coverage") == pytest.approx(1 / 3)
    assert mean("valid_high_coverage") == 0.0
    assert mean("valid_low_locality") == pytest.approx(2 / 3)
