"""What the three views at equal psi find where there is nothing to find, and where there is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from negaudit.comparing.adjusted import regression
from negaudit.comparing.match import PSI, STATISTICS, MatchConfig, binned, matched, pair_values, weighted
from negaudit.comparing.scored import ScoredSource
from negaudit.comparing.support import common_support
from tests.comparing.simulated import three_sources

CONFIG = MatchConfig(bins=(10,), repetitions=1, replicates=200)
SIMULATIONS = 100


def found(part: Mapping[str, object], statistic: str = "mean_rho") -> bool:
    """Return whether any difference was found."""
    return any(d["found"] for d in part["differences"][statistic])  # type: ignore[index]


def keeping_all(sources: Mapping[str, ScoredSource]) -> dict[str, dict[str, object]]:
    """Return the two views that keep every negative."""
    values = {name: pair_values(source) for name, source in sources.items()}
    support = common_support({name: source.pairs.psi for name, source in sources.items()})
    outcomes = {name: v[:, :PSI] for name, v in values.items()}
    return {
        "weighted": weighted(sources, values, support, CONFIG),
        "regression": regression(sources, outcomes, list(STATISTICS[:PSI]), support, CONFIG.replicates, CONFIG.seed),
    }


@pytest.mark.acceptance
def test_the_views_that_keep_all_negatives_find_little_where_rho_given_psi_is_one_law_and_a_gap_of_two_hundredths_nearly_always() -> None:
    null, planted = {"weighted": 0, "regression": 0}, {"weighted": 0, "regression": 0}
    clustered = 0
    for simulation in range(SIMULATIONS):
        for view, part in keeping_all(three_sources(np.random.default_rng([1, simulation]), 1000)).items():
            null[view] += found(part)
            if view == "regression":
                low, high = part["differences"]["mean_rho"][0]["clustered_interval"]  # type: ignore[index]
                clustered += low <= 0 <= high
        for view, part in keeping_all(three_sources(np.random.default_rng([2, simulation]), 1000, gap=0.02)).items():
            differences = part["differences"]["mean_rho"]  # type: ignore[index]
            planted[view] += all(d["found"] for d in differences if d["second"] == "LLM")
    assert max(null.values()) <= 10, null
    assert min(planted.values()) >= 95, planted
    assert clustered >= 88


@pytest.mark.acceptance
def test_matching_by_bins_finds_little_where_rho_does_not_depend_on_psi() -> None:
    hits = {10: 0, 20: 0, 50: 0}
    for simulation in range(SIMULATIONS):
        sources = three_sources(np.random.default_rng([3, simulation]), 1000, flat=True)
        values = {name: pair_values(source) for name, source in sources.items()}
        support = common_support({name: source.pairs.psi for name, source in sources.items()})
        for bins in hits:
            hits[bins] += found(binned(sources, values, support, bins, CONFIG))
    assert max(hits.values()) <= 10, hits


@pytest.mark.acceptance
def test_ten_bins_order_sources_of_one_law_by_the_psi_left_in_the_bins_and_say_so() -> None:
    sources = three_sources(np.random.default_rng(0), 25_000)
    body = matched(sources, MatchConfig(bins=(10, 50), repetitions=50, replicates=50))
    coarse, fine = body["binned"]["10"], body["binned"]["50"]
    assert coarse["orderings"]["mean_rho"] == {"LLM > Dense > BM25": 50}
    assert fine["imbalance"]["psi_gap"] < coarse["imbalance"]["psi_gap"] / 10
    (apart,) = (d for d in coarse["differences"]["mean_rho"] if (d["first"], d["second"]) == ("BM25", "LLM"))
    (explained,) = (d for d in coarse["imbalance"]["explained"]["mean_rho"] if (d["first"], d["second"]) == ("BM25", "LLM"))
    assert explained["difference"] == pytest.approx(apart["difference"], rel=0.5)
    assert not found(body["weighted"])
    assert not found(body["regression"])
