"""The envelope of the genuine sources: thresholds at their extremes, and how often it errs on a genuine source left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negaudit.auditing.profile import PROFILE

Profiles = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Flag:
    """A statistic that lies outside the envelope: the source's value and the threshold it passed."""

    statistic: str
    value: float
    threshold: float


@dataclass(frozen=True)
class Envelope:
    """The thresholds by statistic, and the names of the sources they come from (the paper, section 6.3)."""

    thresholds: Mapping[str, float]
    sources: tuple[str, ...]

    @classmethod
    def of(cls, genuine: Profiles) -> Envelope:
        """Return the envelope of the genuine profiles: the largest mean rho, eta and psi, the smallest inversion rate."""
        shared = [s for s in PROFILE if genuine and all(s.name in values for values in genuine.values())]
        thresholds = {s.name: float(s.extreme(values[s.name] for values in genuine.values())) for s in shared}
        return cls(thresholds, tuple(sorted(genuine)))

    def flags(self, profile: Mapping[str, float]) -> list[Flag]:
        """Return what of `profile` lies outside; a value on the threshold is inside."""
        tested = [s for s in PROFILE if s.name in self.thresholds and s.name in profile]
        found = [(s.name, profile[s.name], self.thresholds[s.name], s.outside) for s in tested]
        return [Flag(name, value, threshold) for name, value, threshold, outside in found if outside(value, threshold)]


def leave_one_out(genuine: Profiles) -> dict[str, list[Flag]]:
    """Return for each genuine source what the envelope of the others flags in it: the envelope's error on sources known to be good.

    Empty where fewer than two sources are genuine, since then nothing can be left out.
    """
    if len(genuine) < 2:
        return {}
    others = {name: {other: values for other, values in genuine.items() if other != name} for name in genuine}
    return {name: Envelope.of(others[name]).flags(values) for name, values in genuine.items()}
