"""Fixtures that every test folder shares: the real data, where this checkout has it, and a tiny collection made by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pyarrow as pa
import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection

WriteBeir = Callable[..., Path]
Compress = Callable[[bytes, str], bytes]
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # real models come from packages; a hub that cannot be reached costs minutes
REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real collections beside the checkout."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of real collections, ../shared/data, is not there")
    return folder


@pytest.fixture
def write_beir(tmp_path: Path) -> WriteBeir:
    """A function that writes a BEIR folder of the given passages, queries and lines of judgements, and returns the folder."""

    def write(
        passages: Iterable[Mapping[str, object]],
        queries: Iterable[Mapping[str, object]],
        qrels: Iterable[str],
        name: str = "tiny",
        split: str = "test",
    ) -> Path:
        folder = tmp_path / name
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        for what, rows in (("corpus", passages), ("queries", queries)):
            (folder / f"{what}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        (folder / "qrels" / f"{split}.tsv").write_text("".join(line + "\n" for line in qrels), encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="session")
def compress() -> Compress:
    """A function that returns bytes as they are ("plain") or packed ("gzip", "zstd")."""

    def pack(data: bytes, compression: str) -> bytes:
        if compression == "plain":
            return data
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, compression) as stream:
            stream.write(data)
        packed: bytes = sink.getvalue().to_pybytes()
        return packed

    return pack


@pytest.fixture
def tiny_folder(write_beir: WriteBeir) -> Path:
    """A BEIR folder of five passages and three queries; grades and titles differ, every text is used."""
    passages = [
        {"_id": "d1", "title": "Cats", "text": "A cat sleeps most of the day."},
        {"_id": "d2", "title": "", "text": "Dogs bark at strangers."},
        {"_id": "d3", "title": "Birds", "text": "Swifts sleep while they fly."},
        {"_id": "d4", "title": "", "text": "Cats and dogs can live together."},
        {"_id": "d5", "title": "Fish", "text": ""},
    ]
    queries = [
        {"_id": "q1", "text": "how long do cats sleep"},
        {"_id": "q2", "text": "why do dogs bark"},
        {"_id": "q3", "text": "do birds sleep"},
    ]
    qrels = ["query-id\tcorpus-id\tscore", "q1\td4\t1", "q1\td1\t2", "q1\td2\t0", "q2\td2\t1", "q3\td3\t1", "q3\td1\t1"]
    return write_beir(passages, queries, qrels)


@pytest.fixture
def tiny_collection(tiny_folder: Path) -> Collection:
    """The collection of tiny_folder."""
    return open_collection(tiny_folder)
