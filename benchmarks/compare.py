"""How long comparisons take at the sizes people have: matching 3 x 250,000 negatives, and the bootstrap over 400,000 records.

Run with: python -m benchmarks.compare [--repeat N]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from negaudit.comparing.binning import resampled
from negaudit.comparing.comparison import measure
from negaudit.comparing.match import MatchConfig, matched, pair_values
from negaudit.comparing.record_sums import record_sums
from negaudit.comparing.support import common_support, equal_width
from tests.comparing.simulated import pairs_of, source_of, three_sources

BINS = (10, 20, 50)


def best(work: Callable[[], object], repeat: int) -> float:
    """Return the shortest of `repeat` timings in seconds, the first, which compiles, left out."""
    work()
    took = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return min(took)


def matching() -> None:
    """100 repetitions at three resolutions over 3 x 250,000 negatives."""
    psi = {name: source.pairs.psi for name, source in SOURCES.items()}
    support = common_support(psi)
    for bins in BINS:
        resampled({name: equal_width(p, support, bins) for name, p in psi.items()}, VALUES, bins, 100, 42)


def whole_match() -> None:
    """All of `match`: the same, the weights, the regression, and 1,000 bootstrap replicates of each."""
    matched(SOURCES, MatchConfig())


def bootstrap() -> None:
    """1,000 replicates of all means and traces over 400,000 records of one negative each."""
    record_sums(MANY).replicates(MANY, 1000, 42)


def _many(records: int):
    rng = np.random.default_rng(1)
    psi, rho = rng.beta(2, 3, records), rng.uniform(0.01, 0.99, records)
    return source_of("many", pairs_of(np.arange(records), psi, rho), [""] * records, key=rng.integers(0, 2**63, records, dtype=np.uint64))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=1)
    repeat = parser.parse_args().repeat
    SOURCES = three_sources(np.random.default_rng(0), 25_000)
    VALUES = {name: pair_values(source) for name, source in SOURCES.items()}
    MANY = _many(400_000)
    measure(next(iter(three_sources(np.random.default_rng(0), 50).values())), 2, 0)
    results = {
        "match_100_repetitions_3_resolutions_seconds": (best(matching, repeat), 20),
        "bootstrap_1000_replicates_400000_records_seconds": (best(bootstrap, repeat), 30),
        "whole_match_with_1000_replicates_seconds": (best(whole_match, repeat), None),
    }
    for name, (seconds, bar) in results.items():
        print(f"{name:55s} {seconds:7.1f}" + (f"   (bar {bar})" if bar else ""))
    print(json.dumps({name: seconds for name, (seconds, _) in results.items()}))
