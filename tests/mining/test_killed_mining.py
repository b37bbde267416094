"""A run that is killed while it encodes, searches or writes goes on where it stopped and ends with the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from negaudit.data.collection import Collection
from negaudit.errors import NegauditError
from negaudit.mining import mined_source
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.filters import CandidateFilters

# Shards small enough that a run has many; each stage stops for a moment, so that the kill comes in the middle of it.
MINE = """
import sys, time
from pathlib import Path
from negaudit.data.dataset import open_collection
from negaudit.encoding.encoder import load_encoder
from negaudit.mining import mined_source, shards
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.dense import mine_dense
from negaudit.mining.filters import CandidateFilters
dataset, model, cache, out, stop = sys.argv[1:]
mined_source.PORTION = 20
def say(stage, done, total):
    print(stage, done, total, flush=True)
    if stage == stop and 0 < done < total:
        time.sleep(0.02)
batches = shards._batches
def slowly(portions):
    for number, batch in enumerate(batches(portions)):
        print("writing", number, flush=True)
        if stop == "writing":
            time.sleep(0.1)
        yield batch
shards._batches = slowly
collection = open_collection(dataset)
filters = CandidateFilters(sampling="softmax", ranks=(2, 30))
if model == "bm25":
    mine_bm25(collection, filters=filters, cache=Path(cache), out=Path(out), progress=say)
else:
    encoder = load_encoder(model, device="cpu", cache=Path(cache))
    mine_dense(collection, encoder=encoder, filters=filters, out=Path(out), progress=say)
print("finished", flush=True)
"""


@pytest.fixture(scope="module")
def dataset(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """XQuAD's first 60 passages and the questions on them."""
    folder = tmp_path_factory.mktemp("xquad")
    (folder / "qrels").mkdir()
    source = shared_data / "xquad_en"
    (folder / "corpus.jsonl").write_text("".join((source / "corpus.jsonl").read_text().splitlines(keepends=True)[:60]))
    (folder / "queries.jsonl").write_text((source / "queries.jsonl").read_text())
    (folder / "qrels" / "test.tsv").write_text(next((source / "qrels").glob("*.tsv")).read_text())
    return folder


def start(dataset: Path, model: str, cache: Path, out: Path, stop: str = "") -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", MINE, str(dataset), model, str(cache), str(out), stop]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def kill_in(process: subprocess.Popen[str], stage: str, after: int) -> None:
    """Read until `stage` has been spoken of `after` times, then kill."""
    assert process.stdout is not None
    seen = 0
    while seen < after:
        line = process.stdout.readline()
        assert line, f"the run ended before {stage}"
        seen += line.startswith(stage)
    process.send_signal(signal.SIGKILL)
    assert "finished" not in process.communicate()[0]


@pytest.mark.acceptance
def test_killed_thrice_and_resumed_equals_uninterrupted_byte_for_byte(dataset: Path, minilm_l3_path: Path, tmp_path: Path) -> None:
    model = str(minilm_l3_path)
    whole, killed = tmp_path / "whole.parquet", tmp_path / "killed.parquet"
    said, _ = start(dataset, model, tmp_path / "cache-1", whole).communicate()
    assert said.endswith("finished\n")
    cache, left = tmp_path / "cache-2", tmp_path / "killed.parquet.shards"
    kill_in(start(dataset, model, cache, killed, "encoding queries"), "encoding queries", 2)
    assert not killed.exists()
    kill_in(start(dataset, model, cache, killed, "searching"), "searching", 70)
    finished = sorted(path.name for path in left.glob("*.parquet"))
    assert finished
    kill_in(start(dataset, model, cache, killed, "writing"), "writing", 3)
    assert not killed.exists()
    assert set(finished) < {path.name for path in left.glob("*.parquet")}
    said, _ = start(dataset, model, cache, killed).communicate()
    assert said.endswith("finished\n")
    assert killed.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir() if "killed" in path.name) == ["killed.parquet"]


def test_bm25_killed_while_searching_equals_uninterrupted_byte_for_byte(dataset: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.parquet", tmp_path / "killed.parquet"
    assert start(dataset, "bm25", tmp_path / "cache", whole).communicate()[0].endswith("finished\n")
    kill_in(start(dataset, "bm25", tmp_path / "cache", killed, "searching"), "searching", 70)
    assert list((tmp_path / "killed.parquet.shards").glob("*.parquet"))
    said, _ = start(dataset, "bm25", tmp_path / "cache", killed).communicate()
    # What was finished is not mined again.
    assert "searching 1 " not in said
    assert killed.read_bytes() == whole.read_bytes()


def test_portions_leave_no_trace(xquad: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_memory = mine_bm25(xquad)
    for portion in (7, 5000):
        monkeypatch.setattr(mined_source, "PORTION", portion)
        mine_bm25(xquad, out=tmp_path / f"{portion}.parquet")
    assert (tmp_path / "7.parquet").read_bytes() == (tmp_path / "5000.parquet").read_bytes()
    written = mine_bm25(xquad, out=tmp_path / "again.parquet")
    assert (written.fingerprint(), written.metadata) == (in_memory.fingerprint(), in_memory.metadata)


def test_shards_of_another_run_are_not_taken_over(xquad: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(stage: str, done: int, _: int) -> None:
        if stage == "searching" and done > 600:
            raise KeyboardInterrupt

    monkeypatch.setattr(mined_source, "PORTION", 100)
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        mine_bm25(xquad, filters=CandidateFilters(ranks=(5, 50)), out=out, progress=stop)
    assert list((tmp_path / "out.parquet.shards").glob("*.parquet"))
    assert mine_bm25(xquad, out=out).fingerprint() == mine_bm25(xquad).fingerprint()


def test_two_runs_on_one_output_are_refused(tiny_collection: Collection, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"

    def again(stage: str, *_: int) -> None:
        if stage == "searching":
            with pytest.raises(NegauditError, match="another run is writing there"):
                mine_bm25(tiny_collection, out=out)

    mine_bm25(tiny_collection, out=out, progress=again)
    assert [path.name for path in tmp_path.glob("out*")] == ["out.parquet"]


def test_an_output_that_cannot_be_written_is_known_before_the_work(tiny_collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for out in (tmp_path, tmp_path / "file" / "below.parquet"):
        with pytest.raises(NegauditError, match="cannot write"):
            mine_bm25(tiny_collection, out=out, progress=lambda stage, *_: 1 // (stage != "searching"))
