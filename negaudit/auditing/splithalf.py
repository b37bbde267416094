"""How far chance alone moves a source's means: from groups of its queries, as an error and as flags between halves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.auditing.profile import PROFILE

Groups = Mapping[str, Sequence[float]]
FLOATS = npt.NDArray[np.float64]
SPLITS = 200
LEAST_GROUPS = 10  # fewer groups than this give no error worth the name


def difference_error(first: Groups, second: Groups, statistic: str) -> float | None:
    """Return the standard error of the difference of two sources' means, from leaving out one group of queries at a time (jackknife).

    Groups go by query, so what two sources share of a query's difficulty cancels. None where fewer than ten groups hold pairs of both.
    """
    shared = (np.array(first["pairs"]) > 0) & (np.array(second["pairs"]) > 0)
    count = int(shared.sum())
    if count < LEAST_GROUPS or statistic not in first or statistic not in second:
        return None
    left_out = _without_each(first, statistic, shared) - _without_each(second, statistic, shared)
    return math.sqrt((count - 1) / count * float(np.square(left_out - left_out.mean()).sum()))


def _without_each(groups: Groups, statistic: str, shared: npt.NDArray[np.bool_]) -> FLOATS:
    pairs, sums = np.array(groups["pairs"], np.float64), np.array(groups[statistic], np.float64)
    return np.asarray((sums.sum() - sums[shared]) / (pairs.sum() - pairs[shared]))


def split_half(genuine: Mapping[str, Groups], seed: int = 42) -> dict[str, Any]:
    """Return how often the envelope of one half of the genuine sources' queries flags the other half of one of them.

    `flagged` gives, by source and statistic, the share of random halvings (of the groups) in which the threshold was passed, `any` that
    of at least one statistic. A source that sets a threshold passes it in about half of them: a threshold has no margin for chance.
    Empty where the groups cannot be halved.
    """
    usable = {name: groups for name, groups in genuine.items() if sum(n > 0 for n in groups["pairs"]) >= LEAST_GROUPS}
    if not usable or len(usable) < len(genuine):
        return {}
    drawn = _halves(len(next(iter(usable.values()))["pairs"]), seed)
    flagged: dict[str, dict[str, float]] = {name: {} for name in sorted(usable)}
    passed = {name: np.zeros(SPLITS, np.bool_) for name in usable}
    for statistic in PROFILE:
        if not all(statistic.name in groups for groups in usable.values()):
            continue
        here = {name: _means(groups, statistic.name, drawn) for name, groups in usable.items()}
        there = {name: _means(groups, statistic.name, ~drawn) for name, groups in usable.items()}
        thresholds = [statistic.extreme(here[name][split] for name in usable) for split in range(SPLITS)]
        for name in usable:
            outside = np.array([statistic.outside(value, bound) for value, bound in zip(there[name], thresholds, strict=True)])
            flagged[name][statistic.name] = float(outside.mean())
            passed[name] |= outside
    return {"splits": SPLITS, "flagged": {name: {**shares, "any": float(passed[name].mean())} for name, shares in flagged.items()}}


def _halves(groups: int, seed: int) -> npt.NDArray[np.bool_]:
    """Return for each split which half of the groups makes the envelope, (SPLITS, groups)."""
    draws = np.random.Generator(np.random.PCG64(seed % 2**64))
    return np.array([draws.permutation(groups) < groups // 2 for _ in range(SPLITS)])


def _means(groups: Groups, statistic: str, chosen: npt.NDArray[np.bool_]) -> FLOATS:
    """Return the mean over the chosen groups in each split; NaN where they hold no pair."""
    pairs = chosen @ np.array(groups["pairs"], np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray((chosen @ np.array(groups[statistic], np.float64)) / pairs)
