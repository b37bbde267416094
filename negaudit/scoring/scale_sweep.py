"""Whether the scale of the log-determinant matters: logdet_c over 48 scales, from eigenvalues that are there already."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from negaudit.scoring.geometry import FLOATS, Volume

# The paper's sweep (section 5): log-spaced from c = 1.
SCALES: FLOATS = np.geomspace(1.0, 325.5, 48)


def scale_sweep(sources: Mapping[str, Mapping[str, Volume]]) -> dict[str, dict[str, float | int]]:
    """Return per weighting what the choice of c in logdet_c does, over the volumes of the `sources`; JSON-ready.

    `largest_gap` is the largest (trace - logdet_1) / trace of a source, `largest_c_lambda_max` the largest c times λ_max, `order_changes`
    at how many of the `scales` the sources are ordered otherwise than at c = 1.
    """
    weightings = next(iter(sources.values()), {})
    return {weighting: _swept([volumes[weighting] for volumes in sources.values()]) for weighting in weightings}


def _swept(volumes: list[Volume]) -> dict[str, float | int]:
    logdets = np.array([np.log1p(SCALES[:, None] * volume.eigenvalues).sum(axis=1) for volume in volumes])
    orders = np.argsort(-logdets, axis=0, kind="stable")
    gaps = [(volume.trace - volume.logdet) / volume.trace for volume in volumes if volume.trace > 0]
    return {
        "scales": len(SCALES),
        "largest_gap": max([0.0, *gaps]),
        "largest_c_lambda_max": float(SCALES[-1] * max(volume.lambda_max for volume in volumes)),
        "order_changes": int((orders != orders[:, :1]).any(axis=0).sum()),
    }
