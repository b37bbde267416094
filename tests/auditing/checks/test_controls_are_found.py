"""On whole collections every control has an error and no genuine source has one, and what was put in is measured as it was put in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.auditing.checks.conftest import GENUINE, Audited

pytestmark = pytest.mark.acceptance
COLLECTIONS = ("scifact", "stackfaq", "msmarco_dl19")
CONTROLS = ("random", "shuffled", "own_positive", "neighbor_positive", "dilute_25", "dilute_50", "dilute_75", "dilute_100")
MARKS = {"ok": "·", "info": "i", "warn": "w", "error": "E", "not_run": "-"}


@pytest.fixture(scope="module", params=COLLECTIONS)
def found(request: pytest.FixtureRequest, audited: Callable[[str], Audited]) -> Audited:
    return audited(request.param)


def table(found: Audited) -> str:
    """Return checks by source: severity and value, nothing where a check is content."""
    checks = list(found.summaries["bm25"])
    lines = [f"{found.mined.collection.name:20}" + " ".join(f"{check[:11]:>11}" for check in checks)]
    for source, summaries in found.summaries.items():
        cells = [f"{MARKS[s['severity']]} {s['value']:.3f}" if s["value"] is not None else "-" for s in summaries.values()]
        lines.append(f"{source:20}" + " ".join(f"{cell:>11}" for cell in cells))
    return "\n".join(lines)


def errors(found: Audited, source: str) -> list[str]:
    return [check for check, summary in found.summaries[source].items() if summary["severity"] == "error"]


def test_each_control_has_an_error_and_no_genuine_source_has_one(found: Audited) -> None:
    print("\n" + table(found))  # noqa: T201
    assert {source: errors(found, source) for source in GENUINE} == {source: [] for source in GENUINE}
    assert set(found.mined.controls) == set(CONTROLS)
    assert [control for control in CONTROLS if not errors(found, control)] == []


def test_no_check_fails_on_real_data(found: Audited) -> None:
    reasons = {s["reason"] for summaries in found.summaries.values() for s in summaries.values() if s["severity"] == "not_run"}
    assert not [reason for reason in reasons if reason.startswith("it failed")]


def test_the_estimate_of_random_passages_is_the_share_that_was_put_in(found: Audited) -> None:
    base = found.summaries["bm25"]["unrelated"]["value"]
    for control in ("dilute_25", "dilute_50", "dilute_75", "dilute_100", "random"):
        share = found.mined.controls[control].metadata.details["control"]["share"]
        expected = share + (1 - share) * base
        # One draw alone: on DL19's 430 negatives its standard error is 0.03.
        assert found.summaries[control]["unrelated"]["value"] == pytest.approx(expected, abs=0.03 if len_of(found) > 1000 else 0.09)


def test_the_estimate_of_own_positives_is_the_share_that_was_put_in(found: Audited) -> None:
    share = found.mined.controls["own_positive"].metadata.details["control"]["share"]
    assert found.summaries["own_positive"]["own_positive"]["value"] == pytest.approx(share, abs=0.02)


def len_of(found: Audited) -> int:
    return found.sums["bm25"]["unrelated"].total
