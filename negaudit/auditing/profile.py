"""A source's profile: the four means that are held against the envelope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ProfileStatistic:
    """One statistic of a profile; `extreme` picks its threshold from the genuine values, `outside` says which side is flagged."""

    name: str
    extreme: Callable[..., float]
    outside: Callable[[float, float], bool]


# A mean above the largest genuine mean is flagged, an inversion rate below the smallest genuine rate (the paper, section 6.3).
PROFILE = (
    ProfileStatistic("mean_rho", max, lambda value, threshold: value > threshold),
    ProfileStatistic("mean_eta", max, lambda value, threshold: value > threshold),
    ProfileStatistic("mean_psi", max, lambda value, threshold: value > threshold),
    ProfileStatistic("inversion_rate", min, lambda value, threshold: value < threshold),
)


def profile(source: Mapping[str, Any]) -> dict[str, float]:
    """Return the profile statistics that a scored source has; without an encoder that is mean_psi alone."""
    return {s.name: float(source[s.name]) for s in PROFILE if s.name in source}
