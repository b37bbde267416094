"""The scale sweep against slogdet at each scale, and an order of sources that turns with the scale."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.scoring.geometry import ResidualMoment, Volume
from negaudit.scoring.scale_sweep import SCALES, scale_sweep


def volume(weights: list[float], directions: list[list[float]]) -> Volume:
    moment = ResidualMoment(len(directions[0]))
    moment.update(np.array(weights), np.array(directions))
    return moment.result()


def test_the_scales_are_48_log_spaced_from_1() -> None:
    assert len(SCALES) == 48
    assert (SCALES[0], SCALES[-1]) == pytest.approx((1.0, 325.5))
    assert np.ptp(np.diff(np.log(SCALES))) < 1e-12


def test_an_order_that_turns_with_the_scale_is_counted() -> None:
    # One strong direction is ahead at c = 1; many weak ones overtake it as c grows.
    narrow = volume([0.9], [[1, 0, 0, 0, 0, 0, 0, 0]])
    wide = volume([0.5] * 8, np.eye(8).tolist())
    assert narrow.logdet > wide.logdet
    expected = 0
    for scale in SCALES:
        dense = [np.linalg.slogdet(np.eye(8) + scale * np.diag(d))[1] for d in ([0.9] + [0] * 7, [0.5 / 8] * 8)]
        expected += dense[0] < dense[1]
    found = scale_sweep({"narrow": {"w": narrow}, "wide": {"w": wide}})["w"]
    assert 0 < expected < 48
    assert found["order_changes"] == expected
    assert found["largest_gap"] == pytest.approx((0.9 - np.log(1.9)) / 0.9)
    assert found["largest_c_lambda_max"] == pytest.approx(325.5 * 0.9)


def test_sources_without_any_residual_have_no_gap() -> None:
    nothing = volume([0.5], [[0.0, 0.0]])
    assert scale_sweep({"a": {"w": nothing}})["w"] == {"scales": 48, "largest_gap": 0.0, "largest_c_lambda_max": 0.0, "order_changes": 0}
