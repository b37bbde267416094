"""How far chance alone moves a source's means, from groups of its queries: what it explains, and what it flags between two halves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.auditing.profile import PROFILE, ProfileStatistic

Groups = Mapping[str, Sequence[float]]
FLOATS = npt.NDArray[np.float64]
SPLITS = 200
LEAST_GROUPS = 8  # fewer groups than this give no error worth the name
Z = 2.241  # one-sided, 5 % over the four statistics of a profile (Bonferroni)


def chance(first: Groups, second: Groups, statistic: str) -> float | None:
    """Return the largest difference of two sources' means that chance explains: 2.2 to 2.8 standard errors, from leaving out one group
    of queries at a time (jackknife), the more the fewer groups there are.

    Groups go by query, so what two sources share of a query's difficulty cancels. None where a source has pairs in fewer than eight.
    """
    filled = [np.array(groups["pairs"]) > 0 for groups in (first, second)]
    least = min(int(some.sum()) for some in filled)
    if least < LEAST_GROUPS or statistic not in first or statistic not in second:
        return None
    either = filled[0] | filled[1]
    left_out = _without_each(first, statistic)[either] - _without_each(second, statistic)[either]
    count, freedom = len(left_out), least - 1
    error = math.sqrt((count - 1) / count * float(np.square(left_out - left_out.mean()).sum()))
    student = Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)  # Student's t from the normal's quantile
    return student * error


def _without_each(groups: Groups, statistic: str) -> FLOATS:
    pairs, sums = np.array(groups["pairs"], np.float64), np.array(groups[statistic], np.float64)
    return np.asarray((sums.sum() - sums) / (pairs.sum() - pairs))


@dataclass(frozen=True)
class _Half:
    """The groups of all genuine sources on one side of a split, and their means by source and statistic."""

    groups: Mapping[str, Groups]
    means: Mapping[str, Mapping[str, float]]

    @classmethod
    def of(cls, genuine: Mapping[str, Groups], chosen: npt.NDArray[np.bool_]) -> _Half:
        part = {name: {key: (np.array(v) * chosen).tolist() for key, v in groups.items()} for name, groups in genuine.items()}
        means = {n: {key: math.fsum(v) / sum(g["pairs"]) for key, v in g.items() if key != "pairs"} for n, g in part.items()}
        return cls(part, means)


def split_half(genuine: Mapping[str, Groups], seed: int = 42) -> dict[str, Any]:
    """Return how often the envelope of one half of the genuine sources' queries flags the other half of one of them.

    By source, over random halvings of the groups: `flagged` gives the share in which each statistic passed its threshold, and `any` of
    them; `warned` the share in which one lay farther outside than chance explains, which is what an audit warns of. A source that sets a
    threshold passes it in about half of them: a threshold has no margin for chance. Empty where the sources cannot be halved.
    """
    statistics = [s for s in PROFILE if genuine and all(s.name in groups for groups in genuine.values())]
    if not statistics or min(sum(n > 0 for n in groups["pairs"]) for groups in genuine.values()) < LEAST_GROUPS:
        return {}
    counts = {name: dict.fromkeys((*(s.name for s in statistics), "any"), 0) for name in sorted(genuine)}
    warned = dict.fromkeys(sorted(genuine), 0)
    for chosen in _halves(genuine, seed):
        here, there = _Half.of(genuine, chosen), _Half.of(genuine, ~chosen)
        for name in counts:
            outside = _outside(name, here, there, statistics)
            for statistic in outside:
                counts[name][statistic] += 1
            counts[name]["any"] += bool(outside)
            warned[name] += any(outside.values())
    shares = {name: {key: count / SPLITS for key, count in found.items()} for name, found in counts.items()}
    return {"splits": SPLITS, "flagged": shares, "warned": {name: count / SPLITS for name, count in warned.items()}}


def _outside(name: str, here: _Half, there: _Half, statistics: Sequence[ProfileStatistic]) -> dict[str, bool]:
    """Return what of a source's other half lies outside, and whether farther than chance explains."""
    found = {}
    for s in statistics:
        maker = str(s.extreme(sorted(here.means), key=lambda source, s=s: here.means[source][s.name]))
        value, threshold = there.means[name][s.name], here.means[maker][s.name]
        if s.outside(value, threshold):
            explained = chance(there.groups[name], here.groups[maker], s.name)
            found[s.name] = explained is not None and abs(value - threshold) > explained
    return found


def _halves(genuine: Mapping[str, Groups], seed: int) -> list[npt.NDArray[np.bool_]]:
    """Return for each split which half of the groups makes the envelope; the groups that any source has pairs in are halved."""
    filled = np.flatnonzero(np.any([np.array(groups["pairs"]) > 0 for groups in genuine.values()], axis=0))
    total = len(next(iter(genuine.values()))["pairs"])
    draws = np.random.Generator(np.random.PCG64(seed % 2**64))
    drawn = []
    for _ in range(SPLITS):
        chosen = np.zeros(total, np.bool_)
        chosen[draws.permutation(filled)[: len(filled) // 2]] = True
        drawn.append(chosen)
    return drawn
