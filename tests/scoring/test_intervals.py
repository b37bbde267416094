"""The bootstrap over records: coverage of a known mean, clusters, order."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.scoring.intervals import percentile_interval, replicate_sums


def interval_of_mean(values: np.ndarray, counts: np.ndarray, keys: np.ndarray, seed: int = 42) -> tuple[float, float]:
    drawn = replicate_sums(keys, np.column_stack([values, counts]), 400, seed)
    interval = percentile_interval(drawn[:, 0] / drawn[:, 1])
    assert interval is not None
    return interval


def test_intervals_over_records_cover_the_mean_of_clustered_pairs_and_intervals_over_pairs_do_not() -> None:
    rng = np.random.default_rng(0)
    trials, by_record, by_pair = 200, 0, 0
    for _ in range(trials):
        level = rng.normal(0.5, 0.1, 300)
        pairs = level[:, None] + rng.normal(0, 0.02, (300, 5))
        keys = rng.integers(0, 2**63, 300, dtype=np.uint64)
        low, high = interval_of_mean(pairs.sum(1), np.full(300, 5.0), keys)
        by_record += low <= 0.5 <= high
        low, high = interval_of_mean(pairs.ravel(), np.ones(1500), rng.integers(0, 2**63, 1500, dtype=np.uint64))
        by_pair += low <= 0.5 <= high
    assert by_record >= 0.90 * trials
    assert by_pair < 0.80 * trials


def test_the_order_of_records_changes_no_bit() -> None:
    rng = np.random.default_rng(1)
    keys, sums = rng.integers(0, 2**63, 500, dtype=np.uint64), rng.normal(size=(500, 3))
    order = rng.permutation(500)
    assert (replicate_sums(keys, sums, 50, 0) == replicate_sums(keys[order], sums[order], 50, 0)).all()


def test_weights_follow_poisson_one_and_differ_by_seed() -> None:
    keys = np.arange(20_000, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    totals = replicate_sums(keys, np.ones((20_000, 1)), 50, 0)[:, 0]
    assert totals.mean() == pytest.approx(20_000, abs=80)
    assert totals.std() == pytest.approx(np.sqrt(20_000), rel=0.35)
    assert (totals != replicate_sums(keys, np.ones((20_000, 1)), 50, 1)[:, 0]).any()
