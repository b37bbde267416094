"""A large corpus lies on disk: the same table to the reader, outside the process's own memory, and nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from negaudit.data import jsonl_texts, spooled_table
from negaudit.data.dataset import open_collection
from negaudit.data.spooled_table import spooled
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import mine_bm25
from negaudit.resources import cache_root
from tests.conftest import WriteBeir

SCHEMA = pa.schema([("id", pa.string()), ("text", pa.large_string())])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEGAUDIT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def batches(count: int = 5) -> Iterator[pa.RecordBatch]:
    for start in range(count):
        yield pa.RecordBatch.from_pydict({"id": [f"{start}a", f"{start}b"], "text": ["日本 x", ""]}, schema=SCHEMA)


@pytest.mark.parametrize("most", [0, 100, 10**9])
def test_a_spooled_table_equals_one_in_memory(cache: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(spooled_table, "MOST_IN_MEMORY", most)
    assert spooled(batches(), SCHEMA).equals(pa.Table.from_batches(batches(), SCHEMA))
    assert spooled(batches(0), SCHEMA).num_rows == 0
    assert not cache.exists() or not any((cache / "spool").iterdir())


def test_what_cannot_be_used_is_left_out_of_a_spooled_corpus_too(
    cache: Path, write_beir: WriteBeir, monkeypatch: pytest.MonkeyPatch
) -> None:
    passages = [{"_id": f"d{i % 70}", "title": "", "text": "" if i % 7 == 0 else f"text {i}"} for i in range(100)]
    folder = write_beir(passages, [{"_id": "q", "text": "text"}], ["q\td1\t1"], name="faulty")
    plain = open_collection(folder)
    monkeypatch.setattr(spooled_table, "MOST_IN_MEMORY", 0)
    monkeypatch.setattr(jsonl_texts, "CHUNK", 7)
    large = open_collection(folder)
    assert large.passages.column(0).num_chunks > 1
    assert large.passages.equals(plain.passages)
    assert large.accounts == plain.accounts
    assert large.accounts["passages"].rejected == {"duplicate_id": 30, "empty_text": 10}


def test_mining_a_spooled_corpus_changes_nothing(cache: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = mine_bm25(open_collection(shared_data / "xquad_hi"))
    monkeypatch.setattr(spooled_table, "MOST_IN_MEMORY", 0)
    assert mine_bm25(open_collection(shared_data / "xquad_hi")).fingerprint() == plain.fingerprint()


# The largest file that the process may write stands in for a disk with that much room.
FULL = """
import resource, signal, sys
import pyarrow as pa
from negaudit.data import spooled_table
from negaudit.errors import NegauditError

spooled_table.MOST_IN_MEMORY = 0
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
batch = pa.RecordBatch.from_pydict({"id": ["a"] * 40, "text": ["words " * 20] * 40})
for limit in range(0, 60_000, 997):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        spooled_table.spooled([batch] * 10, batch.schema)
        print("fitted")
    except NegauditError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on a process's files is Linux's")
def test_a_full_disk_is_one_line_wherever_it_is_met(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NEGAUDIT_CACHE": str(tmp_path / "cache")}
    said = subprocess.run([sys.executable, "-c", FULL], env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    full = [line for line in said if line != "fitted"]
    assert len(said) == 61
    assert said[-1] == "fitted"
    assert len(full) > 40
    assert all(line.startswith("cannot write a large corpus to ") and "NEGAUDIT_CACHE" in line for line in full)


def test_without_a_cache_folder_it_lies_in_the_systems_temporary_one(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("a file where the folder should be")
    monkeypatch.setattr(spooled_table, "MOST_IN_MEMORY", 0)
    assert spooled(batches(), SCHEMA).num_rows == 10


def test_where_no_folder_can_take_it_that_is_one_line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("a file where the folder should be")
    monkeypatch.setattr(spooled_table, "MOST_IN_MEMORY", 0)
    monkeypatch.setattr(spooled_table, "gettempdir", lambda: str(cache / "nowhere"))
    with pytest.raises(NegauditError, match=r"^cannot write a large corpus to a temporary folder: .*NEGAUDIT_CACHE$"):
        spooled(batches(), SCHEMA)


def test_without_a_home_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("NEGAUDIT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(NegauditError, match="name a folder in NEGAUDIT_CACHE"):
        cache_root()
    monkeypatch.setattr(spooled_table, "MOST_IN_MEMORY", 0)
    assert spooled(batches(), SCHEMA).num_rows == 10


# What a process may hold of its own is limited: maps of files, which the system takes back when it likes, do not count. Libraries take
# theirs (threads, compiled code) in a first small run.
MINE = """
import resource, sys
from pathlib import Path
from negaudit.data import jsonl_texts, spooled_table
from negaudit.data.dataset import open_collection
from negaudit.mining import bm25_terms
from negaudit.mining.bm25 import mine_bm25

small, large, cache, allowed = *map(Path, sys.argv[1:4]), int(sys.argv[4])
spooled_table.MOST_IN_MEMORY, bm25_terms.WORTH_A_KERNEL = 1 << 20, 0
mine_bm25(open_collection(small), cache=cache)
[held] = [int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmData")]
resource.setrlimit(resource.RLIMIT_DATA, (held + (allowed << 20),) * 2)
collection = open_collection(large)
source = mine_bm25(collection, cache=cache)
print(collection.passages.nbytes >> 20, sum(file.stat().st_size for file in cache.glob("*/*/*.npy")) >> 20)
print(*(negative.id for record in source.records() for negative in record.negatives))
"""


@pytest.mark.acceptance
@pytest.mark.skipif(sys.platform != "linux", reason="the limit on a process's own memory is Linux's")
def test_a_corpus_and_an_index_larger_than_the_memory_are_mined(tmp_path: Path) -> None:
    small, large = written(tmp_path / "small", 3_000), written(tmp_path / "large", 120_000)
    allowed = 200
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NEGAUDIT_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", MINE, str(small), str(large), str(tmp_path / "cache"), str(allowed)]
    sizes, found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300).stdout.splitlines()
    texts, index = map(int, sizes.split())
    print(f"{texts} MB of texts and an index of {index} MB, mined with {allowed} MB")  # noqa: T201
    assert min(texts, index) > allowed
    assert sorted(found.split()) == [f"d{number:06d}" for number in range(10_007, 110_000, 10_000)]


def written(folder: Path, passages: int) -> Path:
    """Write a collection of so many passages of 300 words; every ten-thousandth holds the query's."""
    draw, words = np.random.default_rng(0), [f"word{i}" for i in range(20_000)]
    (folder / "qrels").mkdir(parents=True)
    with open(folder / "corpus.jsonl", "w", encoding="utf-8") as corpus:
        for number in range(passages):
            text = " ".join(words[i] for i in draw.integers(0, len(words), 300)) + (" needle" if number % 10_000 == 7 else "")
            corpus.write(json.dumps({"_id": f"d{number:06d}", "text": text}) + "\n")
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "needle"}\n', encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td000007\t1\n", encoding="utf-8")
    return folder
