"""Half of a genuine source held against its other half warns rarely; with a quarter of random passages in it, nearly always."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from negaudit.auditing.check_profile import load_profile
from negaudit.auditing.comparison import Sums, compared
from negaudit.auditing.record_sums import RecordSums
from tests.auditing.checks.conftest import Audited

pytestmark = pytest.mark.acceptance
SPLITS = 100
FALSE_ALARMS = {"scifact": 5, "stackfaq": 5, "msmarco_dl19": 10}


def part(sums: Sums, chosen: set[int]) -> dict[str, RecordSums]:
    """Return the sums of the records whose query is chosen, of the checks that apply to any of them."""
    found = {}
    for check, of in sums.items():
        kept = np.array([key in chosen for key in of.keys.tolist()], np.bool_)
        if kept.any():
            found[check] = RecordSums(of.keys[kept], of.sums[kept], of.counts[kept])
    return found


def halves(sums: Sums) -> list[tuple[set[int], set[int]]]:
    keys = np.array(sorted({key for of in sums.values() for key in of.keys.tolist()}), np.uint64)
    found = []
    for seed in range(SPLITS):
        order = np.random.default_rng(seed).permutation(keys).tolist()
        found.append((set(order[: len(order) // 2]), set(order[len(order) // 2 :])))
    return found


def warns(one: Sums, other: Sums) -> list[str]:
    settings = load_profile().of("comparison")
    return [check for check, result in compared(one, {"genuine": other}).items() if result.stands_out(settings)]


@pytest.mark.parametrize("collection", FALSE_ALARMS)
@pytest.mark.parametrize("source", ["bm25", "dense"])
def test_two_halves_of_a_source_are_alike(collection: str, source: str, audited: Callable[[str], Audited]) -> None:
    sums = audited(collection).sums[source]
    alarms = [found for one, other in halves(sums) if (found := warns(part(sums, one), part(sums, other)))]
    print(f"\n{collection} {source}: {len(alarms)} of {SPLITS} splits warn {alarms}")  # noqa: T201
    assert len(alarms) <= FALSE_ALARMS[collection]


@pytest.mark.parametrize("collection", FALSE_ALARMS)
def test_a_half_diluted_by_a_quarter_warns(collection: str, audited: Callable[[str], Audited]) -> None:
    found = audited(collection)
    sums, diluted = found.sums["bm25"], found.sums["dilute_25"]
    alarms = [1 for one, other in halves(sums) if "unrelated" in warns(part(diluted, one), part(sums, other))]
    print(f"\n{collection}: {len(alarms)} of {SPLITS} diluted halves warn")  # noqa: T201
    assert len(alarms) >= 90
