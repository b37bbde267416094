"""What is written in another format comes back as the same records, as far as the format has a place for them; the rest is counted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from negaudit.data.exports.converter import convert
from negaudit.data.exports.target import get_target, register
from negaudit.data.formats.opening import open_source
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.data.store import write_source
from negaudit.errors import NegauditError

RECORDS = [
    Record(
        "1", "why, so?", ("because", "so"), (Negative("no", "bm25", "d3", 1, 2.5), Negative('"nay"\n', "llm", "d4", 2, 1.5)), ("d1", "d2")
    ),
    Record("2", "wie", ("darum",), (Negative("nie", "llm", None, None, None), Negative("nein", "llm", "d9", 7, 0.5)), (None,)),
]
# FlagEmbedding rows with all that the format has.
SCORED = [
    {"query": "q1", "pos": ["p1", "p2"], "neg": ["n1", "n2"], "pos_scores": [0.9, 0.8], "neg_scores": [0.5, 0.25]},
    {"query": "q2", "pos": ["p3"], "neg": ["n3", "n4"], "pos_scores": [0.75], "neg_scores": [0.5, 1.0]},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_source(NegativeSource.from_records(RECORDS, SourceMetadata("mine")), tmp_path / "mine.parquet")


def written(path: Path, to: str, out: Path, **options: object) -> tuple[dict[str, int], list[Record]]:
    done = convert(path, to, out, **options)
    return done.lost, list(open_source(out, "mine").records())


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
@pytest.mark.parametrize("to", ["flagembedding", "tevatron"])
def test_json_lines_keep_all_but_ranks(source, tmp_path, to, ending):
    lost, records = written(source, to, tmp_path / f"out{ending}")
    no_ranks = [replace(r, negatives=tuple(replace(n, rank=None) for n in r.negatives)) for r in RECORDS]
    assert records == no_ranks
    assert lost == {"ranks": 3}


def test_parquet_keeps_everything(source, tmp_path):
    lost, records = written(source, "negaudit", tmp_path / "out.parquet")
    assert (lost, records) == ({}, RECORDS)
    assert (tmp_path / "out.parquet").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
def test_tuples_keep_the_texts(source, tmp_path, ending):
    lost, records = written(source, "st-ntuple", tmp_path / f"out{ending}")
    assert [(r.query, r.positives, [n.text for n in r.negatives]) for r in records] == [
        (r.query, r.positives[:1], [n.text for n in r.negatives]) for r in RECORDS
    ]
    assert lost == {
        "negative_ids": 3,
        "negative_scores": 3,
        "origins": 4,
        "positive_ids": 2,
        "positives_after_the_first": 1,
        "query_ids": 2,
        "ranks": 3,
    }


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
def test_triplets_have_a_row_for_each_negative(source, tmp_path, ending):
    _, records = written(source, "st-triplet", tmp_path / f"out{ending}")
    assert [(r.query, *r.positives, r.negatives[0].text) for r in records] == [
        (r.query, r.positives[0], n.text) for r in RECORDS for n in r.negatives
    ]


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
@pytest.mark.parametrize("to", ["st-ntuple", "st-labeled-list", "st-triplet"])
def test_scores_survive_where_every_text_has_one(tmp_path, to, ending):
    path = tmp_path / "scored.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in SCORED), encoding="utf-8")
    lost, records = written(path, to, tmp_path / f"out{ending}")
    assert [n.score for r in records for n in r.negatives] == [0.5, 0.25, 0.5, 1.0]
    assert "negative_scores" not in lost
    back = convert(tmp_path / f"out{ending}", "flagembedding", tmp_path / "back.jsonl")
    assert "positive_scores" not in back.lost
    rows = [json.loads(line) for line in (tmp_path / "back.jsonl").open(encoding="utf-8")]
    if to == "st-labeled-list":
        assert [{name: row[name] for name in SCORED[0]} for row in rows] == SCORED


def test_csv_has_no_place_for_scores_and_says_so(tmp_path):
    path = tmp_path / "scored.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in SCORED), encoding="utf-8")
    lost, records = written(path, "st-ntuple", tmp_path / "out.csv")
    assert (lost["positive_scores"], lost["negative_scores"]) == (3, 4)
    assert [len(record.negatives) for record in records] == [2, 2]


def test_labeled_lists_keep_every_positive(source, tmp_path):
    _, records = written(source, "st-labeled-list", tmp_path / "out.parquet")
    assert [(r.query, r.positives, [n.text for n in r.negatives]) for r in records] == [
        (r.query, r.positives, [n.text for n in r.negatives]) for r in RECORDS
    ]
    with pytest.raises(NegauditError, match="CSV has no place for the lists"):
        convert(source, "st-labeled-list", tmp_path / "out.csv")


def test_a_short_record_is_left_out_and_counted_never_padded(tmp_path):
    rows = [{"query": f"q{n}", "pos": ["p"], "neg": ["a", "b", "c"][: 3 if n else 1]} for n in range(3)]
    path = tmp_path / "short.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"query": "none", "pos": ["p"], "neg": []}]), encoding="utf-8")
    lost, records = written(path, "st-ntuple", tmp_path / "out.parquet")
    assert [r.query for r in records] == ["q1", "q2"]
    assert {name: lost[name] for name in lost if name.startswith(("records", "negatives"))} == {
        "records_with_fewer_negatives": 1,
        "negatives_of_those": 1,
        "records_without_positive_or_negative": 1,
    }
    lost, records = written(path, "st-ntuple", tmp_path / "one.parquet", k=1)
    assert (len(records), lost["negatives_beyond_k"]) == (3, 4)


@pytest.mark.parametrize("name", ["flagembedding/embedder_msmarco.jsonl", "dpr_haystack/sample.json", "rocketqa/dual.train.tsv"])
@pytest.mark.parametrize("to", ["negaudit", "flagembedding", "tevatron"])
def test_published_files_come_back_the_same(shared_data, tmp_path, name, to):
    path = shared_data / "negatives" / name
    out = tmp_path / ("out.parquet" if to == "negaudit" else "out.jsonl")
    convert(path, to, out, name="mine")
    assert list(open_source(out, "mine").records()) == list(open_source(path, "mine").records())


def test_what_is_lost_to_parquet_is_the_score_of_a_positive(tmp_path):
    path = tmp_path / "scored.jsonl"
    path.write_text("".join(json.dumps({**row, "prompt": "x"}) + "\n" for row in SCORED), encoding="utf-8")
    done = convert(path, "negaudit", tmp_path / "out.parquet")
    assert (done.lost, done.body["fields_left_out"]) == ({"positive_scores": 3}, {"prompt": 2})


def test_errors_leave_no_file(source, tmp_path):
    for to, out, message in (
        ("st-tuple", "out.parquet", "did you mean 'st-ntuple'"),
        ("tevatron", "out.parquet", "the ending says no kind of file"),
        ("st-ntuple", "out.xlsx", "the ending says no kind of file"),
    ):
        with pytest.raises(NegauditError, match=message):
            convert(source, to, tmp_path / out)
        assert not (tmp_path / out).exists()
    with pytest.raises(NegauditError, match="no record can be written"):
        convert(source, "st-ntuple", tmp_path / "out.parquet", k=5)
    assert not (tmp_path / "out.parquet").exists()


def test_a_target_name_can_be_taken_once():
    with pytest.raises(ValueError, match="two targets are named 'tevatron'"):
        register(get_target("tevatron"))
