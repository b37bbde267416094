"""The decision says which source, how sure and what is wrong with the others, and no more than the files do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import negaudit
from negaudit.reporting.decision import decide
from negaudit.reporting.saved_run import load_run
from tests.reporting.runs import changed, copied


@pytest.fixture
def run(real_run: Path, tmp_path: Path) -> Path:
    return copied(real_run, tmp_path / "run")


def say(run: Path, **sources: dict[str, Any]) -> None:
    """Put words into the audit: for a source, what is to stand in its entry."""

    def change(audit: dict[str, Any]) -> None:
        for name, body in sources.items():
            audit["sources"][name] |= body

    changed(run, "audit.json", change)


def verdict(usable: str, *why: str) -> dict[str, Any]:
    return {"verdict": {"usable": usable, "why": list(why)}}


def test_of_a_real_run_it_names_the_source_with_the_largest_psi_and_the_margin(run):
    decision = decide(load_run(run))
    psi = {name: load_run(run).sources[name]["mean_psi"] for name in ("bm25", "dense")}
    best = max(psi, key=psi.__getitem__)
    assert decision.choice == (best,)
    assert decision.headline.startswith(f"Train on {best}.")
    assert any("does not hold 0" in line for line in decision.sure)
    assert any(f"{psi[best]:.3f}" in line for line in decision.why)
    assert any("association, not a cause" in line for line in decision.why)


def test_sources_that_cannot_be_told_apart_are_a_tie(run):
    changed(run, "audit.json", lambda audit: audit.update(ranking=[["bm25", "dense"]]))
    decision = decide(load_run(run))
    assert decision.level == "tie"
    assert set(decision.choice) == {"bm25", "dense"}
    assert "cannot tell them apart" in decision.headline


def test_a_source_that_is_not_usable_is_never_chosen_whatever_its_psi(run):
    say(run, dense=verdict("no", "a quarter of its negatives are unrelated"))
    decision = decide(load_run(run))
    assert decision.choice == ("bm25",)
    wrong = next(finding for finding in decision.wrong if finding.names == ("dense",))
    assert wrong.words == "not usable"
    assert "a quarter of its negatives are unrelated" in wrong.reasons
    assert "Not usable: dense." in decision.others


def test_a_control_is_never_chosen_though_it_scores_best(run):
    say(run, bm25=verdict("no", "x"), dense=verdict("no", "y"))
    decision = decide(load_run(run))
    assert decision.choice == ()
    assert decision.level == "none"
    assert decision.headline == "Train on none of the 2 sources as they are."


@pytest.mark.parametrize(("usable", "level", "choice"), [("with care", "care", {"bm25", "dense"}), ("undecidable", "open", set())])
def test_doubt_is_said_and_not_ranked_away(run, usable, level, choice):
    say(run, bm25=verdict(usable, "x"), dense=verdict(usable, "y"))
    decision = decide(load_run(run))
    assert (decision.level, set(decision.choice)) == (level, choice)
    assert "Train on" not in decision.headline


def test_faults_that_checks_found_are_named_with_value_and_interval_the_worst_first(run):
    found = {
        "severity": "error",
        "value": 0.234,
        "interval": [0.2, 0.27],
        "threshold": 0.05,
        "count": 90,
        "reason": "23 % look like random passages (200 drawn); beyond chance",
    }
    short = {**found, "severity": "warn", "value": 0.08, "interval": None, "reason": None}
    checks = {"short": short, "unrelated": found, "hubs": {**found, "severity": "ok"}}
    say(run, dense={**verdict("no"), "checks": checks})
    reasons = next(finding for finding in decide(load_run(run)).wrong if finding.names == ("dense",)).reasons
    assert reasons[0] == "unrelated: 23 % look like random passages (95 % interval 20 to 27 %)"
    assert reasons[1] == "short: 8.0 %"


def test_what_was_not_run_is_said_with_its_reason_and_its_command(run):
    say(run, dense={"checks": {"label_conflict": {"severity": "not_run", "value": None, "reason": "it needs --dataset"}}})
    lines = decide(load_run(run)).not_judged
    assert "label conflict on 1 source: not run (it needs --dataset)." in lines
    assert any("`negaudit match DIR`" in line for line in lines)
    assert any("no person judged" in line for line in lines)


def test_controls_that_were_missed_and_the_envelope_s_own_error_are_part_of_how_sure(run):
    say(run, random={"flags": {}, "checks": {}})
    changed(run, "audit.json", lambda audit: audit.update(leave_one_out={"bm25": ["mean_rho"], "dense": []}))
    sure = " ".join(decide(load_run(run)).sure)
    assert "it missed random" in sure
    assert "1 of 2 known good sources would be flagged: bm25 (rho)" in sure


def test_unreliable_lexical_numbers_come_first(run):
    changed(run, "summary.json", lambda summary: summary["lexical"].update(reliable=False, advice="use --tokenizer words"))
    assert decide(load_run(run)).sure[0] == "The lexical numbers are unreliable here, psi and the ranking with them: use --tokenizer words."


def test_a_run_that_was_only_scored_recommends_nothing(run):
    (run / "audit.json").unlink()
    decision = decide(load_run(run))
    assert decision.level == "open"
    assert decision.choice == ()
    assert any("`negaudit audit`" in line for line in decision.not_judged)


def test_the_sentences_hold_no_empty_part(run):
    for folder in (run,):
        decision = decide(load_run(folder))
        for line in (*decision.why, *decision.sure, *decision.not_judged, decision.others):
            assert line.strip()
            assert "None" not in line
            assert "nan" not in line.split()


def test_what_is_no_fault_but_worth_knowing_of_the_choice_stands_in_the_reasons(run):
    found = {"severity": "info", "value": 0.32, "interval": [0.3, 0.34], "reason": "x"}
    best = decide(load_run(run)).choice[0]
    say(run, **{best: {"checks": {"false_negative_risk": found, "repeats": {**found, "severity": "ok"}}}})
    [line] = [line for line in decide(load_run(run)).why if "Worth knowing" in line]
    assert line.endswith("Worth knowing: risk of false negatives 32 % (95 % interval 30 to 34 %).")


def further(run: Path, name: str, **body: Any) -> None:
    """Put a document that a further command would have left into the run."""
    (run / f"{name}.json").write_text(json.dumps({"schema": f"negaudit.{name}/1", **body}), encoding="utf-8")


def pair(first: str, second: str, difference: float, interval: list[float], *, found: bool) -> list[dict[str, Any]]:
    return [{"first": first, "second": second, "difference": difference, "interval": interval, "p_holm": 0.5, "found": found}]


def test_how_sure_says_what_is_left_of_the_difference_at_equal_psi(run):
    [best] = decide(load_run(run)).choice
    [other] = {"bm25", "dense"} - {best}
    nothing = {s: pair(other, best, 0.001, [-0.01, 0.01], found=False) for s in ("mean_rho", "mean_eta", "inversion_rate")}
    further(run, "match", binned={"10": {}, "20": {"differences": nothing}})
    assert f"At equal psi (matched in 20 bins) no difference between {best} and {other} was found in rho, eta or inversion." in sure(run)
    for rho in (pair(best, other, -0.2, [-0.25, -0.15], found=True), pair(other, best, 0.2, [0.15, 0.25], found=True)):
        further(run, "match", binned={"20": {"differences": {**nothing, "mean_rho": rho}}})
        [line] = [line for line in sure(run) if line.startswith("At equal psi")]
        assert f"{best} still differs from {other}: rho is 0.200 lower (0.150 to 0.250); none was found in eta or inversion." in line


@pytest.mark.parametrize(("high", "late"), [(40, False), (90, True)])
def test_how_sure_says_from_when_on_the_order_was_there(run, high, late):
    told = {"records_needed": {"median": 30, "interval": [20, high]}, "fractions": {"100": {"records": 100}}}
    further(run, "stability", statistics={"mean_psi": told})
    [line] = [line for line in sure(run) if line.startswith("The order by psi")]
    assert f"from 30 of 100 records on (in 95 % of random draws from 20 to {high} on)" in line
    assert ("does not settle it" in line) is late


def test_documents_of_match_and_stability_as_the_program_writes_them_are_said(real_run, run):
    negaudit.write_comparison(negaudit.match(real_run, config=negaudit.MatchConfig(bins=(5, 20), repetitions=5, replicates=50)), run)
    negaudit.write_comparison(negaudit.stability(real_run, config=negaudit.StabilityConfig(repetitions=20)), run)
    assert sum(line.startswith(("At equal psi", "The order by psi")) for line in sure(run)) == 2


def sure(run: Path) -> tuple[str, ...]:
    return decide(load_run(run)).sure
