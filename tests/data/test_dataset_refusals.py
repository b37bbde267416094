"""What is malformed or missing in a collection is refused in one line that names the file, and the line of it."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from negaudit.data.dataset import open_collection
from negaudit.errors import NegauditError


def as_parquet(folder: Path, target: Path, qrels: str) -> Path:
    (target / qrels).parent.mkdir(parents=True)
    for what in ("corpus", "queries"):
        pl.read_ndjson(folder / f"{what}.jsonl").write_parquet(target / f"{what}.parquet")
    pl.read_csv(folder / "qrels" / "test.tsv", separator="\t").write_parquet(target / qrels)
    return target


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"_id": "d2", "text": ', "found no JSON"),
        ('["d2", "text"]', "expected a JSON object with _id and text, found a list"),
        ('{"id": "d2", "contents": "x"}', "expected the keys _id and text, found id, contents"),
        ('{"_id": "d2", "text": 5}', "text must be a string, found a number"),
        ('{"_id": "d2", "text": ["x"]}', "text must be a string, found a list"),
        ('{"_id": "d2", "title": {}, "text": "x"}', "title must be a string, found an object"),
        ('{"_id": null, "text": "x"}', "_id must be a string or an integer, found null"),
        ('{"_id": 1.5, "text": "x"}', "_id must be a string or an integer, found a number"),
        ('{"_id": true, "text": "x"}', "_id must be a string or an integer, found true or false"),
        ('{"_id": "", "text": "x"}', "_id must be a string or an integer, found an empty string"),
        ('{"_id": "d2", "text": "\\ud800"}', "half of a surrogate pair"),
        ("[" * 100_000, ""),
        ('{"_id": ' + "9" * 5000 + ', "text": "x"}', "digits"),
    ],
)
def test_a_malformed_line_is_refused_with_file_and_line(tiny_folder: Path, line: str, problem: str) -> None:
    corpus = tiny_folder / "corpus.jsonl"
    corpus.write_text('{"_id": "d1", "text": "fine"}\n\n' + line + "\n", encoding="utf-8")
    with pytest.raises(NegauditError) as caught:
        open_collection(tiny_folder)
    assert str(caught.value).startswith(f"{corpus}, line 3: ")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_split_names_those_there_are(write_beir: Callable[..., Path], tiny_folder: Path) -> None:
    (tiny_folder / "qrels" / "dev.tsv.gz").write_bytes(gzip.compress(b"q1 d1 1\n"))
    with pytest.raises(NegauditError, match=r"no judgements of split 'train' \(there is: dev, test\)"):
        open_collection(tiny_folder, split="train")


def test_two_files_for_one_part_are_refused(tiny_folder: Path) -> None:
    (tiny_folder / "corpus.jsonl.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(NegauditError, match=r"2 files could be the corpus \(corpus\.jsonl, corpus\.jsonl\.gz\)"):
        open_collection(tiny_folder)
    assert open_collection(tiny_folder, corpus=tiny_folder / "corpus.jsonl").passages.num_rows == 5


@pytest.mark.parametrize("what", ["corpus", "queries"])
def test_a_file_without_a_usable_text_is_refused(tiny_folder: Path, what: str) -> None:
    (tiny_folder / f"{what}.jsonl").write_text('{"_id": "d1", "text": " "}\n')
    with pytest.raises(NegauditError, match=f"{what}.jsonl: no usable .* among the 1 read"):
        open_collection(tiny_folder)


def test_judgements_of_another_collection_are_refused(tiny_folder: Path) -> None:
    (tiny_folder / "qrels" / "test.tsv").write_text("a b 1\n")
    with pytest.raises(NegauditError, match=r"none of its 1 judgements can be used \(unknown_query 1\)"):
        open_collection(tiny_folder)


def test_missing_input_is_named(tiny_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="no such folder"):
        open_collection(tmp_path / "nowhere")
    with pytest.raises(NegauditError, match="is a file; give the dataset's folder"):
        open_collection(tiny_folder / "corpus.jsonl")
    with pytest.raises(NegauditError, match="no queries, qrels given"):
        open_collection(corpus=tiny_folder / "corpus.jsonl")
    with pytest.raises(NegauditError, match="no such file; expected the qrels file"):
        open_collection(tiny_folder, qrels=tmp_path / "no.tsv")
    (tiny_folder / "queries.jsonl").unlink()
    with pytest.raises(NegauditError, match=r"no queries file; expected one of queries\.jsonl"):
        open_collection(tiny_folder)


@pytest.mark.parametrize(
    ("name", "frame", "problem"),
    [
        ("corpus", {"id": ["d1"], "text": ["x"]}, "expected the columns _id and text, found id, text"),
        ("corpus", {"_id": ["d1", None], "text": ["x", "y"]}, r"row 1 \(counted from 0\): _id is null"),
        ("corpus", {"_id": [1.0], "text": ["x"]}, "column _id must hold strings or integers, found double"),
        ("corpus", {"_id": ["d1"], "text": [3]}, "column text must hold text, found int64"),
        ("qrels/test", {"query-id": ["q1"], "corpus-id": ["d1"], "score": [0.5]}, "cannot be read as Parquet"),
        ("qrels/test", {"query-id": ["q1"], "corpus-id": ["d1"], "score": [None]}, "column score must hold integers"),
        ("qrels/test", {"query-id": ["q1"], "corpus-id": ["d1"]}, "expected the columns query-id, corpus-id and score"),
    ],
)
def test_a_parquet_file_of_other_columns_is_refused(
    tiny_folder: Path, tmp_path: Path, name: str, frame: dict[str, list[object]], problem: str
) -> None:
    folder = as_parquet(tiny_folder, tmp_path / "packed", "qrels/test.parquet")
    pl.DataFrame(frame).write_parquet(folder / f"{name}.parquet")
    with pytest.raises(NegauditError, match=problem):
        open_collection(folder)


def test_a_torn_parquet_file_is_refused(tiny_folder: Path, tmp_path: Path) -> None:
    folder = as_parquet(tiny_folder, tmp_path / "packed", "qrels/test.parquet")
    data = (folder / "corpus.parquet").read_bytes()
    (folder / "corpus.parquet").write_bytes(data[:-20])
    with pytest.raises(NegauditError, match=r"corpus\.parquet: cannot be read as Parquet"):
        open_collection(folder)


def test_parquet_text_that_is_not_utf8_is_refused(tiny_folder: Path, tmp_path: Path) -> None:
    folder = as_parquet(tiny_folder, tmp_path / "packed", "qrels/test.parquet")
    broken = pa.Array.from_buffers(pa.string(), 1, pa.array([b"na\xefve"]).buffers())
    pq.write_table(pa.table({"_id": ["d1"], "text": broken}), folder / "corpus.parquet")
    with pytest.raises(NegauditError, match=r"corpus\.parquet: cannot be read as Parquet \(.*UTF8"):
        open_collection(folder)
