"""Log-det under the bootstrap: its replicates from those of the trace, to first order, where that is good enough."""

from __future__ import annotations

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

    Directions move a pair's influence by at most the share λ_max of its weight, so they add at most λ_max times the root mean square of
    the records' weights; the trace's error goes by the weights' deviation from their mean. With all weights equal it is 0.
    """
    loose = []
    for weighting, volume in eci.items():
        weights = sums.columns[:, 2 + sums.names.index(f"eci.{weighting}.trace")]
        deviations = weights - sums.columns[:, PAIRS] * weights.sum() / sums.columns[:, PAIRS].sum()
        if volume["lambda_max"] * np.sqrt((weights**2).mean()) > TOLERANCE * np.sqrt((deviations**2).mean()):
            loose.append(weighting)
    return loose
