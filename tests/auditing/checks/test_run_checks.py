"""The runner: one contract for all checks, and a check that fails costs nothing but itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow.parquet as pq
import pytest

from negaudit.auditing.checked_run import checked_run
from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import all_checks, register
from negaudit.auditing.run_checks import CheckRun, Outcome
from negaudit.data.source import NegativeSource
from tests.auditing.checks.conftest import by_hand, outcomes_of

SOURCE = by_hand(
    (
        "how long do cats sleep",
        ["Cats sleep for most of the day."],
        ["A cat sleeps.", "A cat sleeps.", "Dogs bark at strangers all night."],
    ),
    ("why do dogs bark", ["Dogs bark to warn their people."], ["why do dogs bark", "", "\ufffd broken"]),
)


def plain(outcomes: Mapping[str, Outcome]) -> dict[str, object]:
    return {name: outcome.summary for name, outcome in outcomes.items()}


class Raising:
    name: ClassVar[str] = "short"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        raise ZeroDivisionError("no such luck")


class TooFew(Raising):
    def run(self, context: CheckContext) -> Finding:
        return Finding(np.zeros(1), np.zeros(1, np.bool_), "one value for all")


@pytest.mark.parametrize(("broken", "reason"), [(Raising, "ZeroDivisionError: no such luck"), (TooFew, "1 values and 1 flags for 6")])
def test_a_check_that_fails_is_not_run_and_leaves_the_others_as_they_are(broken: type[Raising], reason: str) -> None:
    whole = plain(outcomes_of(SOURCE))
    hurt = plain(outcomes_of(SOURCE, checks={**all_checks(), "short": broken}))
    failed = hurt.pop("short")
    assert isinstance(failed, dict)
    assert (failed["severity"], failed["value"]) == ("not_run", None)
    assert reason in failed["reason"]
    whole.pop("short")
    assert hurt == whole


def test_what_a_check_lacks_is_its_reason() -> None:
    found = plain(outcomes_of(SOURCE))
    for name, check in all_checks().items():
        assert (found[name]["severity"] == "not_run") >= bool(check.needs), name  # type: ignore[index]
    assert "--encoder" in found["too_easy"]["reason"]  # type: ignore[index]
    assert "--dataset" in found["label_conflict"]["reason"]  # type: ignore[index]


def test_too_few_passages_say_nothing_about_unrelated_ones() -> None:
    assert "at least 20 passages" in plain(outcomes_of(SOURCE))["unrelated"]["reason"]  # type: ignore[index]


def test_every_summary_is_json_and_has_all_its_keys() -> None:
    for summary in json.loads(json.dumps(plain(outcomes_of(SOURCE)), allow_nan=False)).values():
        assert {"severity", "value", "interval", "threshold", "count", "reason"} <= set(summary)
        assert summary["reason"]


def test_a_taken_name_cannot_be_registered_again() -> None:
    all_checks()
    with pytest.raises(ValueError, match="'short' is registered already"):
        register(Raising)


def test_flags_and_examples_name_row_position_check_and_value(tmp_path: Path) -> None:
    padded = NegativeSource.from_table(SOURCE.to_table(), SOURCE.metadata)
    summaries = checked_run(CheckRun({"byhand": padded}), tmp_path)
    flags = pq.read_table(tmp_path / "flags.parquet").to_pylist()
    assert {name: sum(flag["check"] == name for flag in flags) for name in summaries["byhand"]} == {
        name: summary["count"] or 0 for name, summary in summaries["byhand"].items()
    }
    assert {"source": "byhand", "record": 0, "query_id": "q0", "negative_index": 1, "check": "repeats", "value": 1.0} in flags
    examples = pq.read_table(tmp_path / "examples.parquet").to_pylist()
    echo = next(row for row in examples if row["check"] == "query_echo")
    assert (echo["query_id"], echo["negative"], echo["positive"]) == ("q1", "why do dogs bark", "Dogs bark to warn their people.")
    assert [echo["negative"][span["start"] : span["end"]] for span in echo["negative_covered"]] == ["why", "do", "dogs", "bark"]


def test_at_most_twenty_examples_are_kept_and_the_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    rows = [(f"question {i}", [f"the answer number {i}"], [f"question {i}", "a"]) for i in range(60)]
    source = by_hand(*rows)
    table = source.to_table()
    for name, content in (("one", table), ("other", table.take(list(range(59, -1, -1))))):
        checked_run(CheckRun({"byhand": NegativeSource.from_table(content, source.metadata)}), tmp_path / name)
    kept = [pq.read_table(tmp_path / name / "examples.parquet").to_pylist() for name in ("one", "other")]
    picked = [{(row["check"], row["query_id"], row["negative_index"]) for row in rows} for rows in kept]
    assert sum(check == "short" for check, _, _ in picked[0]) == 20
    assert picked[0] == picked[1]
