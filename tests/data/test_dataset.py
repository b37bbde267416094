"""A collection opens the same from every layout, and everything that cannot be used is counted by reason or refused by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection


def content(collection: Collection) -> tuple[object, ...]:
    tables = (collection.passages, collection.queries, collection.judgements)
    return *(table.to_pylist() for table in tables), {name: account.as_dict() for name, account in collection.accounts.items()}


def as_parquet(folder: Path, target: Path, qrels: str) -> Path:
    (target / qrels).parent.mkdir(parents=True)
    for what in ("corpus", "queries"):
        pl.read_ndjson(folder / f"{what}.jsonl").write_parquet(target / f"{what}.parquet")
    pl.read_csv(folder / "qrels" / "test.tsv", separator="\t").write_parquet(target / qrels)
    return target


def test_passage_text_is_title_space_text_stripped(tiny_collection: Collection) -> None:
    assert tiny_collection.passages["text"].to_pylist() == [
        "Cats A cat sleeps most of the day.",
        "Dogs bark at strangers.",
        "Birds Swifts sleep while they fly.",
        "Cats and dogs can live together.",
        "Fish",
    ]
    assert [str(kind) for kind in tiny_collection.passages.schema.types] == ["string", "large_string"]


def test_positives_come_by_grade_then_by_line(tiny_collection: Collection) -> None:
    labelled, account = tiny_collection.labelled_queries()
    assert {query.query_id: query.positive_ids for query in labelled} == {"q1": ("d1", "d4"), "q2": ("d2",), "q3": ("d3", "d1")}
    assert labelled[0].positives == ("Cats A cat sleeps most of the day.", "Cats and dogs can live together.")
    assert account.as_dict() == {"read": 3, "used": 3, "rejected": {}}


def test_queries_without_a_positive_are_counted_by_reason(write_beir: Callable[..., Path]) -> None:
    passages = [{"_id": "d", "text": "passage"}]
    folder = write_beir(passages, [{"_id": q, "text": q} for q in "abc"], ["a d 2", "b d 1"])
    labelled, account = open_collection(folder).labelled_queries(min_relevance=2)
    assert [query.query_id for query in labelled] == ["a"]
    assert account.as_dict() == {"read": 3, "used": 1, "rejected": {"no_positive": 1, "not_judged": 1}}


@pytest.mark.parametrize(("ending", "compression"), [(".gz", "gzip"), (".zst", "zstd")])
def test_compressed_files_give_the_same_collection(
    tiny_folder: Path, compress: Callable[[bytes, str], bytes], ending: str, compression: str
) -> None:
    plain = content(open_collection(tiny_folder))
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        path = tiny_folder / name
        path.with_name(path.name + ending).write_bytes(compress(path.read_bytes(), compression))
        path.unlink()
    assert content(open_collection(tiny_folder)) == plain


@pytest.mark.parametrize("qrels", ["qrels/test.parquet", "qrels-test.parquet"])
def test_a_folder_of_parquet_gives_the_same_collection(tiny_folder: Path, tmp_path: Path, qrels: str) -> None:
    parquet = open_collection(as_parquet(tiny_folder, tmp_path / "packed", qrels))
    assert content(parquet) == content(open_collection(tiny_folder))
    assert (parquet.name, parquet.split) == ("packed", "test")


def test_three_files_give_the_same_collection(tiny_folder: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "dev.tsv"
    (tiny_folder / "qrels" / "test.tsv").rename(qrels)
    collection = open_collection(corpus=tiny_folder / "corpus.jsonl", queries=str(tiny_folder / "queries.jsonl"), qrels=qrels)
    assert (collection.name, collection.split) == ("tiny", "dev")
    assert content(open_collection(tiny_folder, qrels=qrels)) == content(collection)


def test_int_ids_and_string_ids_are_the_same_id(write_beir: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_beir([{"_id": 7, "text": "seven"}], [{"_id": "8", "text": "eight"}], ["query-id\tcorpus-id\tscore", "8\t7\t1"])
    assert open_collection(folder).judgements.to_pylist() == [{"query_id": "8", "passage_id": "7", "grade": 1}]
    packed = as_parquet(folder, tmp_path / "packed", "qrels/test.parquet")
    assert pl.read_parquet_schema(packed / "corpus.parquet")["_id"] == pl.Int64
    assert content(open_collection(packed)) == content(open_collection(folder))


def test_faults_are_counted_by_reason_and_the_first_of_repeats_wins(write_beir: Callable[..., Path]) -> None:
    passages = [
        {"_id": "d1", "title": None, "text": "one"},
        {"_id": "d1", "text": "other one"},
        {"_id": "d2", "title": " ", "text": "\u00a0\t"},
        {"_id": "d2", "text": "too late"},
        {"_id": "d3", "text": None},
        {"_id": "d4", "text": "four"},
        {"_id": "d4", "text": ""},
    ]
    queries = [{"_id": "q1", "text": "ask"}, {"_id": "q2", "text": ""}, {"_id": "q1", "text": "ask again"}]
    qrels = ["q1 d1 1", "q1 d1 1", "q1 d1 2", "q9 d1 1", "q9 d9 1", "q2 d1 1", "q1 d9 1", "q1 d2 1", "q1 d3 1", "q1 d4 0", "q1 d4 0"]
    collection = open_collection(write_beir(passages, queries, qrels))
    assert collection.passages.to_pylist() == [{"id": "d1", "text": "one"}, {"id": "d4", "text": "four"}]
    assert collection.judgements.to_pylist() == [
        {"query_id": "q1", "passage_id": "d1", "grade": 1},
        {"query_id": "q1", "passage_id": "d4", "grade": 0},
    ]
    assert {name: account.as_dict() for name, account in collection.accounts.items()} == {
        "passages": {"read": 7, "used": 2, "rejected": {"duplicate_id": 3, "empty_text": 2}},
        "queries": {"read": 3, "used": 1, "rejected": {"duplicate_id": 1, "empty_text": 1}},
        "judgements": {
            "read": 11,
            "used": 2,
            "rejected": {
                "conflicting": 1,
                "empty_passage": 2,
                "empty_query": 1,
                "repeated": 2,
                "unknown_passage": 1,
                "unknown_query": 2,
            },
        },
    }


def test_texts_longer_than_one_chunk_keep_their_order(write_beir: Callable[..., Path]) -> None:
    passages = [{"_id": f"d{i}", "text": f"passage {i}"} for i in range(40_000)]
    collection = open_collection(write_beir(passages, [{"_id": "q", "text": "q"}], ["q d39999 1"]))
    assert collection.passages["id"].to_pylist() == [f"d{i}" for i in range(40_000)]
    assert collection.labelled_queries()[0][0].positives == ("passage 39999",)


def test_fingerprints_are_of_the_bytes_and_not_of_the_place(tiny_folder: Path, tmp_path: Path) -> None:
    before = open_collection(tiny_folder).fingerprints
    moved = tiny_folder.rename(tmp_path / "elsewhere")
    assert open_collection(moved).fingerprints == before
    assert set(before) == {"corpus", "queries", "qrels"}
    with open(moved / "queries.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps({"_id": "q4", "text": "more"}) + "\n")
    after = open_collection(moved).fingerprints
    assert {what for what in after if after[what] != before[what]} == {"queries"}
