"""Log-det under the bootstrap: its replicates from those of the trace, to first order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.scoring.gates import FLOATS


def with_logdets(replicates: Mapping[str, FLOATS], eci: Mapping[str, Mapping[str, float]]) -> dict[str, FLOATS]:
    """Return the replicates with eci.WEIGHTING.logdet beside each eci.WEIGHTING.trace.

    The derivative of ln det(I + I_w) along a record's w r rᵀ is w rᵀ (I + I_w)⁻¹ r, which lies between w / (1 + λ_max) and w. A folder of
    scores holds no residuals, so the replicate of log-det is taken as its value plus the trace's deviation times logdet / trace, a slope
    within those bounds: the half-width is right to a share of λ_max, small for gates in [0, 1] and larger for unbounded weights.
    """
    drawn = dict(replicates)
    for weighting, volume in eci.items():
        traces = replicates.get(f"eci.{weighting}.trace")
        if traces is not None:
            slope = volume["logdet"] / volume["trace"] if volume["trace"] else 1.0
            drawn[f"eci.{weighting}.logdet"] = volume["logdet"] + (traces - volume["trace"]) * slope
    return drawn


def loose_logdets(sources: Mapping[str, Mapping[str, Any]], bound: float = 0.05) -> list[str]:
    """Return the weightings whose largest eigenvalue is above `bound` in some source: there log-det's interval is only near."""
    return sorted({w for body in sources.values() for w, volume in body.get("eci", {}).items() if volume["lambda_max"] > bound})
