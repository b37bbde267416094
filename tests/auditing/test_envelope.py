"""Profile, envelope, leave-one-out, criterion, ranking and verdict on numbers given by hand."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from negaudit.auditing.criterion import stringent
from negaudit.auditing.envelope import Envelope, Flag, leave_one_out
from negaudit.auditing.ranking import tied_ranking
from negaudit.auditing.verdict import CALLED, severity, verdict
from tests.conftest import REPOSITORY

NAMES = ("mean_rho", "mean_eta", "mean_psi", "inversion_rate")
with open(REPOSITORY / "examples" / "paper" / "table6_profiles.csv", encoding="utf-8") as file:
    PAPER = list(csv.DictReader(file))
PROFILES = {row["source"]: {name: float(row[name]) for name in NAMES} for row in PAPER}
GENUINE = {row["source"]: PROFILES[row["source"]] for row in PAPER if row["kind"] == "genuine"}


def flagged(source: str) -> set[str]:
    return {flag.statistic for flag in Envelope.of(GENUINE).flags(PROFILES[source])}


def test_the_papers_profile_gives_the_papers_flags() -> None:
    assert Envelope.of(GENUINE).thresholds == {"mean_rho": 0.870, "mean_eta": 0.443, "mean_psi": 0.529, "inversion_rate": 0.083}
    assert {row["source"]: flagged(row["source"]) for row in PAPER} == {row["source"]: set(row["flags"].split()) for row in PAPER}


def test_of_the_papers_eight_controls_seven_are_flagged_and_none_of_its_six_genuine_sources() -> None:
    assert {source for source in PROFILES if not flagged(source)} == {*GENUINE, "Mix random 25%"}
    assert (len(GENUINE), len(PROFILES)) == (6, 14)


def test_leaving_one_out_flags_llm_and_dense_among_the_papers_genuine_sources() -> None:
    found = {name: {flag.statistic for flag in flags} for name, flags in leave_one_out(GENUINE).items()}
    assert found == {name: set() for name in GENUINE} | {"LLM": {"mean_rho", "mean_psi", "inversion_rate"}, "Dense": {"mean_eta"}}


def test_one_genuine_source_cannot_be_left_out() -> None:
    assert leave_one_out({"BM25": PROFILES["BM25"]}) == {}


def test_a_statistic_that_was_not_measured_has_no_threshold_and_no_flag() -> None:
    envelope = Envelope.of({"a": {"mean_psi": 0.5}, "b": {"mean_psi": 0.4, "mean_rho": 0.9}})
    assert envelope.thresholds == {"mean_psi": 0.5}
    assert envelope.flags({"mean_psi": 0.6, "mean_rho": 1.0}) == [Flag("mean_psi", 0.6, 0.5)]


@pytest.mark.parametrize(
    ("scores", "holds", "violators"),
    [
        ({"good": 0.5, "fair": 0.4, "bad": 0.3}, True, ()),
        ({"good": 0.5, "fair": 0.4, "bad": 0.45}, False, ("bad",)),
        ({"good": 0.5, "fair": 0.4, "bad": 0.4}, False, ("bad",)),
    ],
)
def test_a_control_must_rank_below_every_genuine_source(scores: dict[str, float], holds: bool, violators: tuple[str, ...]) -> None:
    found = stringent(scores, frozenset({"good", "fair"}), frozenset({"bad"}))
    assert found is not None
    assert (found.holds, found.violators) == (holds, violators)


def test_without_controls_there_is_no_criterion() -> None:
    assert stringent({"good": 0.5}, frozenset({"good"}), frozenset()) is None


def test_sources_whose_paired_difference_holds_zero_are_one_group() -> None:
    values = {"a": 0.9, "b": 0.89, "c": 0.5}
    differences = {"a": {"b": [-0.01, 0.03], "c": [0.3, 0.5]}, "b": {"c": [0.2, 0.5]}}
    assert tied_ranking(values, differences) == [["a", "b"], ["c"]]
    assert tied_ranking(values, differences | {"a": {"b": [0.005, 0.03], "c": [0.3, 0.5]}}) == [["a"], ["b"], ["c"]]


def test_a_difference_that_was_not_measured_is_no_difference() -> None:
    assert tied_ranking({"a": 0.9, "b": 0.1}, {}) == [["a", "b"]]


FLAG = [Flag("mean_psi", 0.9, 0.5)]
FAR = [Flag("mean_psi", 0.9, 0.5, far=True)]
NOISE = [Flag("mean_psi", 0.51, 0.5, clear=False)]


def checks(**severities: str) -> dict[str, dict[str, Any]]:
    return {name: {"severity": said, "reason": f"because of {name}"} for name, said in severities.items()}


FINE = checks(unrelated="ok", own_positive="ok", hubs="info")


@pytest.mark.parametrize(
    ("role", "flags", "found", "judged", "encoded", "usable", "said"),
    [
        ("candidate", [], {}, True, True, "yes", "not excluded"),
        ("candidate", [], FINE, True, True, "yes", "no check found"),
        ("candidate", [], FINE, False, True, "yes", "part of the envelope"),
        ("candidate", NOISE, FINE, True, True, "yes", "no check found"),
        ("candidate", FLAG, {}, True, True, "with care", "fewer query words"),
        ("candidate", FLAG, FINE, True, True, "with care", "also flags known good sources"),
        ("candidate", FAR, FINE, True, True, "with care", "farther than any known good source"),
        ("candidate", [], FINE | checks(hubs="warn"), True, True, "with care", "hubs: because of hubs"),
        ("candidate", [], FINE | checks(unrelated="error"), True, True, "no", "unrelated: because of unrelated"),
        ("genuine", [], FINE | checks(unrelated="error"), False, True, "no", "unrelated: because of unrelated"),
        ("candidate", FLAG, FINE | checks(unrelated="error"), True, True, "no", "fewer query words"),
        ("candidate", [], checks(unrelated="not_run", own_positive="ok"), True, True, "undecidable", "unrelated was not run"),
        ("candidate", [], FINE | checks(label_conflict="not_run"), True, True, "yes", "not run: label_conflict"),
        ("candidate", [], {}, False, True, "undecidable", "name other sources with --genuine"),
        ("candidate", [], {}, True, False, "undecidable", "--encoder"),
        ("candidate", FLAG, FINE, True, False, "undecidable", "fewer query words"),
        ("candidate", [], checks(own_positive="error"), True, False, "no", "own_positive: because"),
        ("genuine", [], {}, False, True, "yes", "taken as known good by you"),
        ("control", FLAG, checks(unrelated="error"), True, True, "control", "never to be trained on"),
    ],
)
def test_the_verdict_says_no_more_than_was_measured(
    role: str, flags: list[Flag], found: dict[str, Any], judged: bool, encoded: bool, usable: str, said: str
) -> None:
    decided = verdict(role, flags, {"good": FLAG, "fair": []}, found, judged=judged, encoded=encoded)
    assert decided.usable == usable
    assert decided.usable in CALLED
    assert any(said in reason for reason in decided.why)
    assert all(decided.why)


@pytest.mark.parametrize(
    ("flags", "found", "worst"),
    [([], FINE, "ok"), (NOISE, FINE, "ok"), (FLAG, FINE, "warn"), ([], checks(a="warn"), "warn"), (FLAG, checks(a="error"), "error")],
)
def test_chance_and_information_raise_no_alarm(flags: list[Flag], found: dict[str, Any], worst: str) -> None:
    assert severity(flags, found) == worst


def test_an_envelope_of_one_source_says_that_its_error_is_not_known() -> None:
    assert "not known" in " ".join(verdict("candidate", FLAG, {}, FINE, judged=True, encoded=True).why)


def test_far_is_farther_than_any_genuine_source_that_is_left_out() -> None:
    flags = {source: {f.statistic: f.far for f in Envelope.of(GENUINE).flags(PROFILES[source])} for source in PROFILES}
    # Left out, LLM lies 0.134 above the others' rho and 0.070 above their psi; Dense 0.034 above their eta.
    assert flags["Random passages"] == {"mean_rho": False, "mean_eta": False, "mean_psi": True, "inversion_rate": False}
    assert flags["Own-positive mix"] == {"mean_eta": True}
