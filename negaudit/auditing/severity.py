"""How bad a finding is: five words, and the one rule that turns a value and its interval into one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Severity = Literal["ok", "info", "warn", "error", "not_run"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
LEVELS: tuple[Severity, ...] = ("info", "warn", "error")  # those that have a threshold, mildest first
CERTAINTY = 0.5  # a level is reached only where the interval's lower end lies above this part of its threshold


def graded(value: float, low: float, thresholds: Mapping[str, float], most: Severity = "error") -> tuple[Severity, float | None]:
    """Return the severity of `value`, and the threshold it reached (None: none).

    Larger is worse. A level is reached where the value is at least its threshold and `low`, the lower end of the value's interval, is
    above half of it, so that a handful of records does not condemn a source. Thresholds are absolute and come from the profile;
    `most` is the worst that may be said.
    """
    reached: tuple[Severity, float | None] = ("ok", None)
    for level in LEVELS[: LEVELS.index(most) + 1]:
        threshold = thresholds.get(level)
        if threshold is not None and value >= threshold and value > 0 and low >= CERTAINTY * threshold:
            reached = (level, threshold)
    return reached


def rank(severity: str) -> int:
    """Return how bad a severity is: ok 0, info 1, warn 2, error 3; not_run is 0, since it says nothing about the source."""
    return 0 if severity == "not_run" else SEVERITIES.index(severity)
