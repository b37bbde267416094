"""Differences between sources, paired over shared queries, and which of them are found after correction."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from negaudit.comparing.holm import holm
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import percentile_interval

LEVEL = 0.05


@dataclass(frozen=True)
class Difference:
    """`difference` = first - second with its 95 % interval; `found` where Holm's p is below LEVEL and the interval leaves 0 out.

    `interval` and the p-values are None where there were no replicates.
    """

    first: str
    second: str
    difference: float
    interval: tuple[float, float] | None
    p: float | None
    p_holm: float | None
    found: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the difference as JSON-ready data."""
        return {**asdict(self), "interval": list(self.interval) if self.interval else None}


def paired_differences(values: Mapping[str, float], replicates: Mapping[str, FLOATS]) -> list[Difference]:
    """Return the difference of every two sources, in the order of `values`, Holm-corrected over all of them.

    `replicates` are each source's values under the same bootstrap weights, so that differences are paired wherever two sources
    share a query. p is that of the normal law with the replicates' standard error: a share of replicates cannot get below
    1 / replicates, which Holm over many sources would never let through.
    """
    drafts = []
    for first, second in itertools.combinations(values, 2):
        difference = values[first] - values[second]
        drawn = replicates[first] - replicates[second] if replicates else np.empty(0)
        drafts.append((first, second, difference, percentile_interval(drawn), two_sided_p(difference, standard_error(drawn))))
    adjusted = holm([draft[-1] for draft in drafts])
    return [Difference(*draft, p_holm, _found(draft[3], p_holm)) for draft, p_holm in zip(drafts, adjusted, strict=True)]


def standard_error(drawn: FLOATS) -> float | None:
    """Return the standard deviation of the replicates that have a value; None where fewer than two have."""
    there = drawn[np.isfinite(drawn)]
    return float(there.std(ddof=1)) if len(there) > 1 else None


def two_sided_p(difference: float, error: float | None) -> float | None:
    """Return the chance of a difference as large as this under the normal law; None where the error is not known.

    An error of 0 with a difference is that of a single record, or of a few that are all alike: it says nothing.
    """
    if error is None or not math.isfinite(difference) or (error == 0 and difference):
        return None
    if error == 0:
        return 1.0
    return math.erfc(abs(difference) / error / math.sqrt(2))


def _found(interval: tuple[float, float] | None, p_holm: float | None) -> bool:
    return interval is not None and p_holm is not None and p_holm < LEVEL and not interval[0] <= 0 <= interval[1]
