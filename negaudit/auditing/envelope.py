"""The envelope of the genuine sources: thresholds at their extremes, and how often it errs on a genuine source left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from negaudit.auditing.profile import PROFILE
from negaudit.auditing.splithalf import Groups, chance

Profiles = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Flag:
    """A statistic that lies outside the envelope: the source's value and the threshold it passed.

    `clear` is False where the drawing of queries may explain the difference to the source that set the threshold.
    `far` is True where it lies farther outside than any known good source does when that one is left out.
    """

    statistic: str
    value: float
    threshold: float
    clear: bool = True
    far: bool = False


@dataclass(frozen=True)
class Envelope:
    """The thresholds by statistic, and the names of the sources they come from (the paper, section 6.3).

    `makers` says for each statistic which source set it; `groups` holds the genuine sources' sums by group of queries where they are
    known, `excess` the farthest that a genuine source left out lies outside.
    """

    thresholds: Mapping[str, float]
    sources: tuple[str, ...]
    makers: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Groups] = field(default_factory=dict)
    excess: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, genuine: Profiles, groups: Mapping[str, Groups] | None = None) -> Envelope:
        """Return the envelope of the genuine profiles: the largest mean rho, eta and psi, the smallest inversion rate."""
        shared = [s for s in PROFILE if genuine and all(s.name in values for values in genuine.values())]
        makers = {s.name: str(s.extreme(sorted(genuine), key=lambda name, s=s: genuine[name][s.name])) for s in shared}
        thresholds = {name: float(genuine[maker][name]) for name, maker in makers.items()}
        excess: dict[str, float] = {}
        for flags in leave_one_out(genuine).values():
            for flag in flags:
                excess[flag.statistic] = max(excess.get(flag.statistic, 0.0), abs(flag.value - flag.threshold))
        return cls(thresholds, tuple(sorted(genuine)), makers, groups or {}, excess)

    def flags(self, profile: Mapping[str, float], groups: Groups | None = None) -> list[Flag]:
        """Return what of `profile` lies outside; a value on the threshold is inside. `groups` tell chance from difference."""
        tested = [s for s in PROFILE if s.name in self.thresholds and s.name in profile]
        passed = [s.name for s in tested if s.outside(profile[s.name], self.thresholds[s.name])]
        return [self._flag(name, profile[name], groups) for name in passed]

    def _flag(self, statistic: str, value: float, groups: Groups | None) -> Flag:
        threshold = self.thresholds[statistic]
        distance = abs(value - threshold)
        clear = True
        maker = self.groups.get(self.makers.get(statistic, ""))
        if groups is not None and maker is not None:
            explained = chance(groups, maker, statistic)
            clear = explained is not None and distance > explained
        return Flag(statistic, value, threshold, clear, statistic in self.excess and distance > self.excess[statistic])


def leave_one_out(genuine: Profiles) -> dict[str, list[Flag]]:
    """Return for each genuine source what the envelope of the others flags in it: the envelope's error on sources known to be good.

    Empty where fewer than two sources are genuine, since then nothing can be left out.
    """
    if len(genuine) < 2:
        return {}
    found: dict[str, list[Flag]] = {}
    for name, values in genuine.items():
        others = [other for key, other in genuine.items() if key != name]
        tested = [s for s in PROFILE if s.name in values and all(s.name in other for other in others)]
        bounds = [(s, float(s.extreme(other[s.name] for other in others))) for s in tested]
        found[name] = [Flag(s.name, values[s.name], bound) for s, bound in bounds if s.outside(values[s.name], bound)]
    return found
