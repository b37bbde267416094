"""Differences between sources: paired by query, corrected over checks, and against the worst genuine source."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.auditing.comparison import compared, holm, with_comparisons
from negaudit.auditing.record_sums import RecordSums, difference
from negaudit.auditing.severity import graded


def sums(values: np.ndarray, first: int = 0) -> RecordSums:
    return RecordSums(np.arange(first, first + len(values), dtype=np.uint64), values.astype(float), np.full(len(values), 10.0))


def test_holm_is_bonferroni_for_the_smallest_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_the_same_queries_are_compared_in_pairs() -> None:
    draws = np.random.default_rng(0)
    hard = draws.normal(5, 2, 400)  # queries differ much more than the two sources do
    paired = difference(sums(hard + 0.1), sums(hard))
    apart = difference(sums(hard + 0.1), sums(hard, first=400))
    assert paired.value == apart.value == pytest.approx(0.01)
    assert paired.error < 1e-9 < 0.01 < apart.error
    assert paired.p < 1e-6 < apart.p


def test_chance_gives_small_p_values_as_often_as_they_say() -> None:
    draws = np.random.default_rng(1)
    p = [difference(sums(draws.poisson(1, 60)), sums(draws.poisson(1, 60), first=60)).p for _ in range(2000)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.02)


def test_a_source_stands_out_only_above_every_genuine_one() -> None:
    draws = np.random.default_rng(2)
    high, low = sums(draws.normal(5, 1, 200)), sums(draws.normal(1, 1, 200))
    settings = {"level": 0.05, "least": 0.02}
    assert compared({"c": high}, {"a": {"c": low}})["c"].stands_out(settings)
    both = compared({"c": high}, {"a": {"c": low}, "b": {"c": sums(draws.normal(5.2, 1, 200))}})["c"]
    assert (both.against, both.stands_out(settings)) == ("b", False)
    assert compared({"c": high}, {}) == {}


def test_a_warning_says_the_difference_in_percentage_points() -> None:
    high, low = sums(np.full(200, 5.0)), sums(np.full(200, 0.75))
    checks = {"c": {"reason": "half of them", "severity": "ok"}}
    found = with_comparisons({"s": checks, "g": checks}, {"s": {"c": high}, "g": {"c": low}}, ["g"], {"level": 0.05, "least": 0.02})
    said = "half of them; 42.5 percentage points more than in the genuine source g, which chance does not explain"
    assert (found["s"]["c"]["reason"], found["s"]["c"]["severity"]) == (said, "warn")
    assert found["g"]["c"] == checks["c"]


@pytest.mark.parametrize(
    ("value", "low", "most", "expected"),
    [
        (0.3, 0.2, "error", ("error", 0.2)),
        (0.3, 0.05, "error", ("warn", 0.1)),  # too uncertain to condemn
        (0.3, 0.2, "warn", ("warn", 0.1)),
        (0.05, 0.04, "error", ("ok", None)),
        (0.0, 0.0, "error", ("ok", None)),
    ],
)
def test_a_level_needs_the_value_and_half_of_it_for_certain(
    value: float, low: float, most: str, expected: tuple[str, float | None]
) -> None:
    assert graded(value, low, {"warn": 0.1, "error": 0.2}, most) == expected  # type: ignore[arg-type]
