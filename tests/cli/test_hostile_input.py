"""Input that would cost somebody a file, or end in a traceback: one line, exit code 2, and everything left as it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from negaudit.data.metadata import KEY
from tests.cli.conftest import Negaudit
from tests.cli.test_score_and_audit import write

GOOD = '{"query": "where do birds fly", "pos": ["South."], "neg": ["Fish swim.", "Cats sleep."]}\n'
DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "rejects.jsonl"),
        ("validate", "other.jsonl", "rejects.jsonl"),
        ("convert", "rejects.jsonl", "--to", "flagembedding", "--out", "out.jsonl"),
        ("convert", "other.jsonl", "--to", "flagembedding", "--out", "rejects.jsonl"),
        ("score", "--source", "a=out/rejects.jsonl", "--out", "out"),
    ],
)
def test_rejects_are_never_written_onto_a_file_that_is_read_or_made(negaudit: Negaudit, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "out").mkdir()
    files = [tmp_path / name for name in ("rejects.jsonl", "other.jsonl", "out/rejects.jsonl")]
    if arguments[-1] == "rejects.jsonl" and "--out" in arguments:
        files = files[1:]
    for file in files:
        file.write_text(GOOD * 3 + '{"query": "no lists", "pos": 3, "neg": []}\n')
    before = [file.read_bytes() for file in files]
    ran = negaudit(*arguments)
    assert (ran.code, len(ran.err.strip().splitlines())) == (2, 1), ran
    assert [file.read_bytes() for file in files] == before


def test_a_score_that_json_cannot_hold_is_shown_as_a_word(negaudit: Negaudit, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(GOOD[:-2] + ', "pos_scores": [NaN], "neg_scores": [Infinity, 0.5]}\n')
    ran = negaudit("show", "a.jsonl", "--line", "1", "--json")
    assert ran.code == 0, ran.err
    assert '"inf"' in json.dumps(json.loads(ran.out))


@pytest.mark.parametrize(
    "metadata", [DEEP, '{"schema": "negaudit.source/1", "name": "a", "role": "candidate", "origins": {"o": 7}}', '{"name": NaN}']
)
def test_foreign_metadata_of_any_shape_is_one_line(negaudit: Negaudit, tmp_path: Path, metadata: str) -> None:
    table = pq.read_table(write(tmp_path / "a.parquet", "Fish swim."))
    pq.write_table(table.replace_schema_metadata({KEY: metadata}), tmp_path / "a.parquet")
    ran = negaudit("score", "--source", "a.parquet", "--out", "out")
    assert (ran.code, len(ran.err.strip().splitlines())) == (2, 1), ran


@pytest.mark.parametrize("document", [DEEP, "{", "[]", '{"schema": "other"}'])
def test_a_broken_summary_is_one_line(negaudit: Negaudit, tmp_path: Path, document: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "summary.json").write_text(document)
    for command in ("report", "compare", "match", "stability"):
        ran = negaudit(command, "run")
        assert (ran.code, len(ran.err.strip().splitlines())) == (2, 1), (command, ran)


@pytest.mark.parametrize("out", ["n" * 300, "bad\udcffname"])
def test_a_name_that_no_file_can_have_is_one_line(negaudit: Negaudit, tmp_path: Path, out: str) -> None:
    write(tmp_path / "a.parquet", "Fish swim.")
    ran = negaudit("score", "--source", "a.parquet", "--out", out)
    assert (ran.code, len(ran.err.strip().splitlines())) == (2, 1), ran
    assert negaudit("score", "--source", f"{'n' * 300}=a.parquet", "--out", "b").code == 2


def test_numbers_beyond_what_can_be_held_are_refused(negaudit: Negaudit, tmp_path: Path, tiny_folder: Path) -> None:
    write(tmp_path / "a.parquet", "Fish swim.")
    assert negaudit("score", "--source", "a.parquet", "--replicates", 10**18, "--out", "b").code == 2
    assert negaudit("mine", "bm25", tiny_folder, "--min-relevance", 10**24, "--out", "c.parquet").code == 2


def test_a_server_that_is_not_there_is_one_line_and_no_empty_source(negaudit: Negaudit, tmp_path: Path, tiny_folder: Path) -> None:
    endpoint = ("--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--retries", 0)
    ran = negaudit("mine", "llm", tiny_folder, *endpoint, "--out", "llm.parquet", "--quiet")
    assert (ran.code, len(ran.err.strip().splitlines())) == (2, 1), ran
    assert not (tmp_path / "llm.parquet").exists()


def test_a_run_that_is_told_to_stop_takes_its_temporary_files_along(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", "Fish swim.")
    code = (
        "import sys, time\nfrom pathlib import Path\nimport negaudit.cli.app as app\nfrom negaudit.data.atomic import atomic_path\n"
        "def run(_):\n    with atomic_path(Path('x.parquet')):\n        print('ready', flush=True)\n        time.sleep(60)\n"
        "app.run = run\napp.main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
    time.sleep(0.1)
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]
