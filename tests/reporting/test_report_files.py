"""`report` reads saved results and nothing else, says what is missing, and refuses what does not belong together."""

from __future__ import annotations

import json

import pytest

import negaudit
from negaudit.errors import NegauditError
from tests.reporting.runs import changed, copied


@pytest.fixture
def run(real_run, tmp_path):
    return copied(real_run, tmp_path / "run")


def test_the_same_files_give_the_same_bytes_anywhere(run, tmp_path):
    first = negaudit.report(run)
    second = negaudit.report(copied(run, tmp_path / "elsewhere" / "run"))
    assert first.html.read_bytes() == second.html.read_bytes()
    assert first.markdown.read_bytes() == second.markdown.read_bytes()
    assert str(tmp_path) not in first.html.read_text(encoding="utf-8")


def test_documents_alone_are_enough(run):
    def without_checks(audit):
        for source in audit["sources"].values():
            source["checks"] = {}

    assert sorted(path.name for path in run.iterdir()) == ["audit.json", "summary.json"]
    changed(run, "audit.json", without_checks)
    made = negaudit.report(run)
    text = made.html.read_text(encoding="utf-8")
    for words in ("No check of single negatives was run", "match was not run; run negaudit match DIR", "No examples were saved"):
        assert words in text


def test_a_lexical_run_has_a_report_too(run):
    def lexical(summary):
        summary["encoder"] = None
        summary["truncation"] = None
        for source in summary["sources"].values():
            for key in ("mean_rho", "mean_eta", "inversion_rate", "ambiguity", "eci"):
                source.pop(key, None)
            source["buckets"] = {"high_coverage": source["buckets"]["high_coverage"]}
            source["histograms"] = {"psi": source["histograms"]["psi"]}

    changed(run, "summary.json", lexical)
    changed(run, "audit.json", lambda audit: audit.update(envelope={"mean_psi": audit["envelope"]["mean_psi"]}, criterion={}))
    text = negaudit.report(run).html.read_text(encoding="utf-8")
    assert "no encoder was given" in text
    assert 'data-chart="profile-psi"' in text
    assert 'data-chart="map"' not in text


@pytest.mark.parametrize("name", ["match.json", "stability.json"])
@pytest.mark.parametrize("content", ["{", "[]", "\x00"])
def test_a_broken_further_document_is_named_and_spoils_nothing_else(run, name, content):
    (run / name).write_text(content)
    text = negaudit.report(run).html.read_text(encoding="utf-8")
    assert f"{name} could not be read" in text
    assert "Train on" in text


def test_a_broken_examples_file_is_named(run):
    (run / "examples.parquet").write_bytes(b"PAR1 not really")
    assert "examples.parquet could not be read" in negaudit.report(run).html.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["summary.json", "audit.json"])
def test_a_broken_main_document_is_one_line(run, name):
    (run / name).write_text("{")
    with pytest.raises(NegauditError, match=name) as error:
        negaudit.report(run)
    assert "\n" not in str(error.value)
    assert not (run / "report.html").exists()


def test_an_audit_of_other_scores_is_refused(run):
    changed(run, "audit.json", lambda audit: audit.update(score_hash="0" * 16))
    with pytest.raises(NegauditError, match="belongs to other scores"):
        negaudit.report(run)


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(NegauditError, match="no finished run there"):
        negaudit.report(tmp_path)


def test_markdown_says_what_the_page_says(run):
    made = negaudit.report(run)
    text = made.markdown.read_text(encoding="utf-8")
    assert text.startswith(f"# {made.decision.headline}")
    for line in (*made.decision.why, *made.decision.sure):
        assert line.split(":")[0].replace("_", "\\_")[:40] in text
    assert "| source | role | verdict | rank | psi | rho | eta | inversion |" in text


def test_two_runs_say_what_changed(run, real_run, tmp_path):
    later = copied(real_run, tmp_path / "later")

    def shifted(summary):
        source = summary["sources"]["dense"]
        source["mean_psi"] += 0.1
        source["intervals"]["mean_psi"] = [end + 0.1 for end in source["intervals"]["mean_psi"]]
        summary["sources"]["new"] = summary["sources"]["bm25"]

    changed(later, "summary.json", shifted)
    changed(later, "audit.json", lambda audit: audit["sources"]["bm25"]["verdict"].update(usable="no"))
    made = negaudit.report_changes(run, later)
    (shift,) = made.changes.shifts
    assert (shift.source, shift.statistic, shift.beyond) == ("dense", "psi", True)
    assert shift.after - shift.before == pytest.approx(0.1)
    assert made.changes.added == ("new",)
    assert "bm25: verdict was yes, is no" in made.changes.turned
    assert "bm25: verdict was yes, is no" in made.html.read_text(encoding="utf-8")
    assert "dense" in made.markdown.read_text(encoding="utf-8")


def test_a_run_compared_with_itself_changed_nothing(run):
    made = negaudit.report_changes(run, run)
    assert made.changes.shifts == made.changes.turned == ()
    assert "nothing changed" in made.markdown.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda summary: summary["config"].update(tokenizer="char3"), "tokenizer: alnum and char3"),
        (lambda summary: summary["config"].update(tau=0.1), "tau: 0.05 and 0.1"),
        (lambda summary: summary["lexical"].update(fingerprint="other"), "--idf saved:DIR"),
        (lambda summary: summary["encoder"].update(max_length=256), "encoder max_length: 128 and 256"),
        (lambda summary: summary.update(encoder=None), "encoder model"),
    ],
)
def test_runs_of_different_contracts_are_refused_by_name(run, real_run, tmp_path, change, named):
    later = copied(real_run, tmp_path / "later")
    changed(later, "summary.json", change)
    with pytest.raises(NegauditError) as error:
        negaudit.report_changes(run, later)
    assert named in str(error.value)
    assert not (later / "changes.html").exists()


def test_the_command_writes_both_files_and_prints_the_decision(run, capsys):
    from negaudit.cli.app import run as program

    assert program(["report", str(run)]) == 0
    said = capsys.readouterr().out
    assert "How sure" in said
    assert str(run / "report.html") in "".join(said.split("\n"))
    assert program(["report", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["headline"].startswith("Train on")
    assert program(["report", str(run), str(run), "--quiet"]) == 0
    assert capsys.readouterr().out.strip() == str(run / "changes.html")
