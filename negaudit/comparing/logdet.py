"""Log-det under the bootstrap: its replicates from those of the trace, to first order, where that is good enough."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from negaudit.comparing.record_sums import PAIRS, RecordSums
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.weightings import WEIGHTINGS

# How much of log-det's standard error may come from directions, which a folder of scores does not hold.
TOLERANCE = 0.1


def with_logdets(replicates: Mapping[str, FLOATS], eci: Mapping[str, Mapping[str, float]], sums: RecordSums) -> dict[str, FLOATS]:
    """Return the replicates with eci.WEIGHTING.logdet beside each eci.WEIGHTING.trace, except for loose_weightings.

    The derivative of ln det(I + I_w) along a pair's w r rᵀ is w rᵀ (I + I_w)⁻¹ r, which lies between w / (1 + λ_max) and w. A folder of
    scores holds no residuals, so a replicate of log-det is its value plus the trace's deviation times logdet / trace, a slope within those
    bounds.
    """
    drawn = dict(replicates)
    loose = loose_weightings(eci, sums)
    for weighting in WEIGHTINGS:
        traces = replicates.get(f"eci.{weighting}.trace")
        if traces is not None and weighting in eci and weighting not in loose:
            volume = eci[weighting]
            slope = volume["logdet"] / volume["trace"] if volume["trace"] else 1.0
            drawn[f"eci.{weighting}.logdet"] = volume["logdet"] + (traces - volume["trace"]) * slope
    return drawn


def loose_weightings(eci: Mapping[str, Mapping[str, float]], sums: RecordSums) -> list[str]:
    """Return the weightings whose log-det has no interval here: what directions add to its error may exceed TOLERANCE of the trace's error.

    A pair's influence is its weight times about 1 - x, x = rᵀ I_w r in [0, λ_max], whose weighted mean is tr I_w² / tr I_w, nearly
    m = 2 (trace - logdet) / trace. So x deviates from m by at most sqrt(λ_max m - m²) in the mean square, and directions add at most that
    times the root mean square of the records' weights, where the trace's error goes by the weights' deviation from their mean: none at all
    where all weights are equal.
    """
    loose = []
    for weighting, volume in eci.items():
        weights = sums.columns[:, 2 + sums.names.index(f"eci.{weighting}.trace")]
        deviations = weights - sums.columns[:, PAIRS] * weights.sum() / sums.columns[:, PAIRS].sum()
        if _spread(volume) * np.sqrt((weights**2).mean()) > TOLERANCE * np.sqrt((deviations**2).mean()):
            loose.append(weighting)
    return loose


def _spread(volume: Mapping[str, float]) -> float:
    mean = 2 * (volume["trace"] - volume["logdet"]) / volume["trace"] if volume["trace"] else 0.0
    return math.sqrt(max(0.0, volume["lambda_max"] * mean - mean**2))
