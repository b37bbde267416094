"""Whether 95 % intervals hold the truth in 95 % of trials, and whether null differences stay unfound."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.comparing.record_sums import record_sums
from negaudit.scoring.intervals import percentile_interval, replicate_sums
from tests.comparing.simulated import pairs_of, source_of

TRIALS, RECORDS, REPLICATES = 1000, 500, 1000
STATISTICS = ("mean_psi", "mean_rho", "mean_eta", "inversion_rate", "ambiguity", "mnrl_proxy", "gradient_energy", "margin_hardness")
STATISTICS += ("buckets.low_locality", "buckets.high_coverage", "eci.composite.trace")


def clustered(rng: np.random.Generator, records: int):
    """A source whose records have 5 to 10 negatives with much in common."""
    counts = rng.integers(5, 11, records)
    record = np.repeat(np.arange(records), counts)
    level, overlap = rng.normal(1.5, 1.0, records)[record], rng.beta(2, 4, records)[record]
    psi = np.clip(0.6 * overlap + 0.4 * rng.beta(2, 4, len(record)), 0, 1)
    rho = 1 / (1 + np.exp(-(level + rng.normal(0, 1.0, len(record)))))
    between = np.clip(0.5 - 0.05 * level + rng.normal(0, 0.05, len(record)), -1, 1)
    return source_of("s", pairs_of(record, psi, rho, between), [""] * records, key=rng.integers(0, 2**63, records, dtype=np.uint64))


@pytest.mark.acceptance
def test_intervals_hold_the_truth_in_95_percent_of_trials_and_those_over_single_pairs_do_not() -> None:
    rng = np.random.default_rng(7)
    truth = record_sums(clustered(rng, 2_000_000)).means()
    held, by_pair = dict.fromkeys(STATISTICS, 0), 0
    for trial in range(TRIALS):
        source = clustered(rng, RECORDS)
        drawn = record_sums(source).replicates(source, REPLICATES, trial)
        for statistic in STATISTICS:
            low, high = percentile_interval(drawn[statistic]) or (0, 0)
            held[statistic] += low <= truth[statistic] <= high
        if trial < 200:
            rho = source.pairs.rho
            single = replicate_sums(rng.integers(0, 2**63, len(rho), dtype=np.uint64), np.column_stack([rho, np.ones(len(rho))]), 200, 1)
            low, high = percentile_interval(single[:, 0] / single[:, 1]) or (0, 0)
            by_pair += low <= truth["mean_rho"] <= high
    assert all(925 <= count <= 975 for count in held.values()), held
    assert by_pair < 0.85 * 200
