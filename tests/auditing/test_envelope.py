"""Profile, envelope, leave-one-out, criterion, ranking and verdict on numbers given by hand."""

from __future__ import annotations

import pytest

from negaudit.auditing.criterion import stringent
from negaudit.auditing.envelope import Envelope, Flag, leave_one_out
from negaudit.auditing.ranking import tied_ranking
from negaudit.auditing.verdict import verdict

# The paper's table 6: mean rho, eta, psi and inversion rate under Contriever.
PAPER = {
    "BM25": (0.602, 0.352, 0.287, 0.378),
    "Dense": (0.566, 0.443, 0.386, 0.423),
    "LLM": (0.870, 0.375, 0.529, 0.083),
    "BM25+Dense": (0.584, 0.398, 0.337, 0.400),
    "BM25+LLM": (0.736, 0.364, 0.408, 0.230),
    "Dense+LLM": (0.720, 0.409, 0.459, 0.251),
    "Random passages": (0.994, 0.471, 0.943, 0.000),
    "Easy shuffled": (0.994, 0.469, 0.944, 0.000),
    "Mix random 100%": (0.993, 0.471, 0.943, 0.001),
    "Mix random 75%": (0.915, 0.447, 0.812, 0.076),
    "Mix random 50%": (0.798, 0.412, 0.615, 0.188),
    "Mix random 25%": (0.680, 0.376, 0.418, 0.302),
    "Neighbor positive": (0.831, 0.753, 0.704, 0.116),
    "Own-positive mix": (0.551, 0.675, 0.273, 0.352),
}
NAMES = ("mean_rho", "mean_eta", "mean_psi", "inversion_rate")
PROFILES = {source: dict(zip(NAMES, values, strict=True)) for source, values in PAPER.items()}
GENUINE = {source: PROFILES[source] for source in list(PAPER)[:6]}
ALL = set(NAMES)


def flagged(source: str) -> set[str]:
    return {flag.statistic for flag in Envelope.of(GENUINE).flags(PROFILES[source])}


def test_the_papers_profile_gives_the_papers_flags() -> None:
    assert Envelope.of(GENUINE).thresholds == {"mean_rho": 0.870, "mean_eta": 0.443, "mean_psi": 0.529, "inversion_rate": 0.083}
    assert {source: flagged(source) for source in PAPER if flagged(source)} == {
        "Random passages": ALL,
        "Easy shuffled": ALL,
        "Mix random 100%": ALL,
        "Mix random 75%": ALL,
        "Mix random 50%": {"mean_psi"},
        "Neighbor positive": {"mean_eta", "mean_psi"},
        "Own-positive mix": {"mean_eta"},
    }


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


@pytest.mark.parametrize(
    ("role", "flags", "errors", "judged", "encoded", "usable"),
    [
        ("candidate", [], {}, True, True, "yes"),
        ("candidate", FLAG, {"good": []}, True, True, "no"),
        ("candidate", FLAG, {"good": FLAG}, True, True, "with care"),
        ("candidate", [], {}, False, True, "undecidable"),
        ("candidate", [], {}, True, False, "undecidable"),
        ("genuine", [], {}, False, True, "yes"),
        ("control", FLAG, {}, True, True, "control"),
    ],
)
def test_the_verdict_says_no_more_than_was_measured(
    role: str, flags: list[Flag], errors: dict[str, list[Flag]], judged: bool, encoded: bool, usable: str
) -> None:
    found = verdict(role, flags, errors, judged=judged, encoded=encoded)
    assert found.usable == usable
    assert all(found.why)
