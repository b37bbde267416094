"""The audit of sources made by hand: roles, flags, files and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from negaudit.auditing.auditor import audit
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError

RECORDS = 24  # enough to tell a difference from chance, too few for a check of surfaces


def source(name: str, negative: str, role: str = "candidate", records: int = RECORDS) -> NegativeSource:
    """A source without a fault that a check minds; {i} in the negative is the record's number, which makes its words its query's own."""
    rows = [
        Record(f"q{i}", f"where did ada{i} meet bob{i} and eve{i}", (f"It is known of ada{i}.",), (Negative(negative.format(i=i), name),))
        for i in range(records)
    ]
    return NegativeSource.from_records(rows, SourceMetadata(name, role))  # type: ignore[arg-type]


CLOSE, DISTANT = "Here ada{i}, bob{i} and eve{i} did dance.", "Nobody has seen eve{i} since."
NEAR, FAR, BETWEEN = source("near", CLOSE), source("far", DISTANT), source("between", "Once bob{i} and eve{i} did dance.")


def test_a_source_outside_the_envelope_of_the_named_genuine_one_is_flagged() -> None:
    result = audit([NEAR, FAR], genuine=["near"])
    assert result.flagged == ["far"]
    flag = result.body["sources"]["far"]["flags"]["mean_psi"]
    assert flag["threshold"] == result.summary["sources"]["near"]["mean_psi"] < flag["value"]
    assert result.body["envelope_sources"] == ["near"]


def test_without_a_named_genuine_source_every_source_but_the_controls_makes_the_envelope() -> None:
    result = audit([NEAR, FAR, source("built", DISTANT, "control")])
    assert result.body["envelope_sources"] == ["far", "near"]
    assert result.flagged == []


def test_a_flagged_control_is_not_what_the_audit_found_wrong() -> None:
    result = audit([NEAR, FAR], genuine=["near"], controls=["far"])
    assert result.body["sources"]["far"]["flags"]
    assert result.flagged == []
    assert result.body["sources"]["far"]["verdict"]["usable"] == "control"


def test_an_envelope_condemns_nothing_by_itself() -> None:
    result = audit([NEAR, FAR], genuine=["near"])
    assert (result.failing("warn"), result.failing("error"), result.failing("never")) == (["far"], [], [])


def test_too_few_queries_to_know_what_chance_does_warn_of_nothing() -> None:
    result = audit([source("near", CLOSE, records=6), source("far", DISTANT, records=6)], genuine=["near"])
    assert result.body["sources"]["far"]["flags"]["mean_psi"]["clear"] is False
    assert result.flagged == []


def test_a_flagged_source_is_not_ranked() -> None:
    assert audit([NEAR, FAR], genuine=["near"]).body["ranking"] == [["near"]]


def test_audit_json_is_what_the_function_returns_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    results = [audit([NEAR, FAR], genuine=["near"], out=tmp_path / name) for name in ("one", "two")]
    files = [tmp_path / name / "audit.json" for name in ("one", "two")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert json.loads(files[0].read_text()) == json.loads(json.dumps(results[0].body))


def test_an_unknown_name_says_which_sources_there_are() -> None:
    with pytest.raises(NegauditError, match="unknown source 'nera'; did you mean 'near'"):
        audit([NEAR, FAR], genuine=["nera"])


def test_one_name_cannot_be_genuine_and_control() -> None:
    with pytest.raises(NegauditError, match=r"'near' .*genuine.*control"):
        audit([NEAR, FAR], genuine=["near"], controls=["near"])
