"""Chance is told from difference by groups of queries, and halving a genuine source shows the envelope's own error."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.auditing.envelope import Envelope
from negaudit.auditing.profile import PROFILE
from negaudit.auditing.splithalf import LEAST_GROUPS, SPLITS, chance, split_half
from negaudit.scoring.groups import group_sums

NAMES = [statistic.name for statistic in PROFILE]
PER_RECORD = 10


def drawn(seed: int, mean: float, records: int = 400, shared: float = 0.0) -> dict[str, list[float]]:
    """Groups of a source whose record means lie around `mean`; `shared` is how much of their spread all sources have in common."""
    keys = np.arange(records, dtype=np.uint64) * np.uint64(7919)
    common = np.random.default_rng(0).normal(size=(records, 1)) * shared
    own = np.random.default_rng(seed).normal(size=(records, len(NAMES))) * 0.05
    sums = (mean + common + own) * PER_RECORD
    return group_sums(keys, np.full(records, float(PER_RECORD)), sums, NAMES)


def test_the_error_is_that_of_repeated_draws() -> None:
    reference = drawn(1, 0.5)
    said = [chance(drawn(seed, 0.5), reference, "mean_psi") for seed in range(2, 42)]
    true = 0.05 * np.sqrt(2 / 400)
    # The quantile of Student's t with 19 degrees of freedom at 1 - 0.05 / 4.
    assert np.mean([e for e in said if e is not None]) == pytest.approx(2.433 * true, rel=0.15)


def test_what_queries_share_cancels() -> None:
    apart, together = drawn(2, 0.5, shared=0.4), drawn(3, 0.5, shared=0.4)
    explained = chance(apart, together, "mean_psi")
    assert explained is not None
    assert explained < 0.015  # without pairing it would be above 0.05


def test_a_second_draw_of_the_extreme_source_is_rarely_clear_and_a_real_difference_always_is() -> None:
    clear = far = 0
    for seed in range(100, 300):
        makers = {"a": drawn(seed, 0.5), "b": drawn(seed + 1000, 0.4)}
        means = {name: means_of(groups) for name, groups in makers.items()}
        envelope = Envelope.of(means, makers)
        again, other = drawn(seed + 2000, 0.5), drawn(seed + 3000, 0.53)
        clear += any(flag.clear for flag in envelope.flags(means_of(again), again))
        far += any(flag.clear for flag in envelope.flags(means_of(other), other))
    assert clear <= 16  # 5 % of 200 expected at most; binomial, three standard deviations above
    assert far == 200


def means_of(groups: dict[str, list[float]]) -> dict[str, float]:
    return {name: sum(groups[name]) / sum(groups["pairs"]) for name in NAMES}


def test_few_groups_give_no_error() -> None:
    few = drawn(1, 0.5, records=LEAST_GROUPS - 1)
    assert chance(few, few, "mean_psi") is None
    assert split_half({"a": few}) == {}
    assert split_half({}) == {}


def test_the_source_that_sets_a_threshold_passes_it_in_half_of_the_halvings_and_one_inside_never() -> None:
    found = split_half({"high": drawn(1, 0.5), "low": drawn(2, 0.3)})
    assert found["splits"] == SPLITS
    assert found["flagged"]["high"]["mean_psi"] == pytest.approx(0.5, abs=0.12)
    assert found["flagged"]["low"]["mean_psi"] == 0
    assert found["flagged"]["low"]["inversion_rate"] == pytest.approx(0.5, abs=0.12)
    assert found["flagged"]["high"]["any"] > 0.8
    assert split_half({"high": drawn(1, 0.5), "low": drawn(2, 0.3)}) == found


def test_halves_of_one_source_are_rarely_warned_of() -> None:
    warned = [share for seed in range(40) for share in split_half({"a": drawn(seed, 0.5)})["warned"].values()]
    assert np.mean(warned) < 0.06  # 5 % at most are allowed for


def test_groups_go_by_query_and_not_by_row() -> None:
    keys = np.array([3, 23, 4, 3], np.uint64)
    sums = np.array([[1.0], [2.0], [4.0], [8.0]])
    found = group_sums(keys, np.array([1.0, 2.0, 3.0, 4.0]), sums, ["x"])
    assert (found["pairs"][3], found["x"][3], found["pairs"][4], found["x"][4]) == (7, 11.0, 3, 4.0)
    order = [2, 0, 3, 1]
    assert group_sums(keys[order], np.array([1.0, 2.0, 3.0, 4.0])[order], sums[order], ["x"]) == found
