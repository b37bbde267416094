"""`negaudit score` and `negaudit audit`: results on stdout, exit codes, and one line for whatever is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from negaudit import NegativeSource, write_source
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from tests.cli.conftest import Negaudit

RECORDS = 24  # enough to tell a difference from chance, too few for a check of surfaces


def write(path: Path, negative: str, role: str = "candidate", query: str = "where did ada{i} meet bob{i} and eve{i}") -> Path:
    records = [
        Record(f"q{i}", query.format(i=i), (f"It is known of ada{i}.",), (Negative(negative.format(i=i), "x"),)) for i in range(RECORDS)
    ]
    return write_source(NegativeSource.from_records(records, SourceMetadata(path.stem, role)), path)


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Path]:
    near, far = "Here ada{i}, bob{i} and eve{i} did dance.", "Nobody has seen eve{i} since."
    return {"near": write(tmp_path / "near.parquet", near), "far": write(tmp_path / "far.parquet", far)}


def test_score_prints_the_document_it_wrote(negaudit: Negaudit, sources: dict[str, Path], tmp_path: Path) -> None:
    ran = negaudit("score", "--source", "near.parquet", "--source", "distant=far.parquet", "--out", "out", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out) == json.loads((tmp_path / "out" / "summary.json").read_text())
    assert list(json.loads(ran.out)["sources"]) == ["near", "distant"]
    assert (tmp_path / "out" / "distant" / "negatives.parquet").exists()


def test_a_finished_run_is_kept_refused_or_replaced_as_asked(negaudit: Negaudit, sources: dict[str, Path], tmp_path: Path) -> None:
    first = negaudit("score", "--source", "near.parquet", "--out", "out", "--json")
    refused = negaudit("score", "--source", "far.parquet", "--out", "out")
    assert refused.code == 2
    assert "--overwrite" in refused.err
    kept = negaudit("score", "--source", "far.parquet", "--out", "out", "--overwrite", "missing", "--json")
    assert json.loads(kept.out) == json.loads(first.out)
    replaced = negaudit("score", "--source", "far.parquet", "--out", "out", "--overwrite", "always", "--json")
    assert list(json.loads(replaced.out)["sources"]) == ["far"]


def test_audit_leaves_with_one_at_the_severity_asked_for_and_not_for_a_control(negaudit: Negaudit, sources: dict[str, Path]) -> None:
    both = ("audit", "--source", "near.parquet", "--source", "far.parquet", "--fail-on", "warn")
    assert negaudit(*both, "--genuine", "near", "--out", "a").code == 1
    assert negaudit(*both, "--genuine", "near", "--out", "b", "--fail-on", "never").code == 0
    assert negaudit(*both, "--genuine", "near", "--control", "far", "--out", "c").code == 0
    assert negaudit(*both, "--out", "d").code == 0


def test_an_audit_that_is_kept_leaves_with_the_code_it_left_with_before(negaudit: Negaudit, sources: dict[str, Path]) -> None:
    both = ("audit", "--source", "near.parquet", "--source", "far.parquet", "--genuine", "near", "--out", "a", "--overwrite", "missing")
    assert [negaudit(*both, "--fail-on", level).code for level in ("warn", "warn", "never")] == [1, 1, 0]


def test_an_envelope_is_saved_and_holds_for_a_source_that_comes_later(negaudit: Negaudit, sources: dict[str, Path], tmp_path: Path) -> None:
    assert negaudit("audit", "--source", "near.parquet", "--out", "first").code == 0
    later = ("audit", "--source", "far.parquet", "--fail-on", "warn", "--json")
    ran = negaudit(*later, "--reference", "first/envelope.parquet", "--out", "second")
    assert ran.code == 1, ran.err
    body, first = json.loads(ran.out), json.loads((tmp_path / "first/audit.json").read_text())
    assert (body["envelope"], body["envelope_sources"]) == (first["envelope"], ["near"])
    assert (tmp_path / "second/envelope.parquet").read_bytes() == (tmp_path / "first/envelope.parquet").read_bytes()
    assert json.loads(negaudit(*later, "--reference", "first", "--out", "third").out)["reference"] == body["reference"]
    for wrong in (("--tokenizer", "char3"), ("--idf", "source"), ("--idf", "saved:second")):
        refused = negaudit(*later, "--reference", "first", "--out", "fourth", *wrong)
        assert (refused.code, refused.err.count("\n")) == ((1, 0) if wrong[1] == "saved:second" else (2, 1))
    missing = negaudit(*later, "--reference", "near.parquet", "--out", "fifth")
    assert (missing.code, missing.err.count("\n")) == (2, 1)
    assert "not an envelope of negaudit" in missing.err


def test_audit_says_the_caution_and_the_envelope_in_its_table(negaudit: Negaudit, sources: dict[str, Path]) -> None:
    ran = negaudit("audit", "--source", "near.parquet", "--source", "far.parquet", "--genuine", "near", "--out", "a")
    assert "association" in ran.out
    assert "of near" in ran.out


def test_whatever_is_wrong_is_one_line_with_exit_code_two_and_no_half_written_file(negaudit: Negaudit, tmp_path: Path) -> None:
    write(tmp_path / "good.parquet", "cats")
    write(tmp_path / "mute.parquet", "cats", query="?!")
    write_source(NegativeSource.from_records([], SourceMetadata("empty")), tmp_path / "empty.parquet")
    pq.write_table(pa.table({"query": ["a"], "answer": ["b"]}), tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("no parquet at all")
    (tmp_path / "file").write_text("")
    cases = {
        "no such file": ["--source", "missing.parquet", "--out", "out"],
        "found query, answer": ["--source", "other.parquet", "--out", "out"],
        "in no known format": ["--source", "text.parquet", "--out", "out"],
        "no row of it can be read": ["--source", "empty.parquet", "--out", "out"],
        "query_without_tokens 24": ["--source", "mute.parquet", "--out", "out"],
        "two sources are named 'good'": ["--source", "good.parquet", "--source", "good=mute.parquet", "--out", "out"],
        "cannot write": ["--source", "good.parquet", "--out", "file/out"],
        "--sample must be": ["--source", "good.parquet", "--sample", "some", "--out", "out"],
        "did you mean 'alnum'": ["--source", "good.parquet", "--tokenizer", "alnu", "--out", "out"],
    }
    for command in ("score", "audit"):
        for message, arguments in cases.items():
            ran = negaudit(command, *arguments)
            assert (ran.code, ran.out) == (2, ""), (command, message, ran)
            lines = [line for line in ran.err.splitlines() if line]
            assert len(lines) == 1, ran.err
            assert message in lines[0], (message, lines)
            assert not (tmp_path / "out").exists(), (command, message)
