"""A run becomes negatives the same way whatever order its lines stand in, and says what was cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.opening import open_source
from negaudit.errors import NegauditError

PASSAGES = [{"_id": f"d{n}", "title": "", "text": f"passage {n}"} for n in range(1, 7)] + [
    {"_id": "copy", "title": "", "text": "PASSAGE  1"}
]
QUERIES = [{"_id": "q", "text": "what"}, {"_id": "other", "text": "who"}]


@pytest.fixture
def lookup(write_beir) -> Lookup:
    folder = write_beir(PASSAGES, QUERIES, ["q\td1\t1", "other\td2\t1"])
    return Lookup.from_files(folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / "test.tsv")


def ids(source) -> list[str | None]:
    return [negative.id for record in source.records() for negative in record.negatives]


def test_ties_are_ordered_by_id_and_positives_leave_by_id_and_by_text(write_lines, lookup):
    path = write_lines(["q Q0 d4 0 2.0 x", "q Q0 d1 1 9.0 x", "q Q0 copy 2 8.0 x", "q Q0 d3 3 2.0 x", "q Q0 gone 4 1.0 x"], "run.txt")
    source = open_source(path, collection=lookup)
    assert ids(source) == ["d3", "d4"]
    assert [negative.rank for record in source.records() for negative in record.negatives] == [3, 4]
    assert source.metadata.counts["negatives"] == {
        "read": 5,
        "used": 2,
        "rejected": {"positive_id": 1, "positive_text": 1, "unknown_passage": 1},
    }


def test_k_and_the_band_of_ranks(write_lines, lookup):
    path = write_lines([f"q Q0 d{n} {n} {10 - n} x" for n in range(1, 7)], "run.txt")
    assert ids(open_source(path, collection=replace(lookup, k=2))) == ["d2", "d3"]
    assert ids(open_source(path, collection=replace(lookup, k=2, ranks=(4, 6)))) == ["d4", "d5"]
    assert ids(open_source(path, collection=replace(lookup, ranks=(1, 3)))) == ["d2", "d3"]


def test_a_query_in_two_places_is_an_error_that_says_how_to_sort(write_lines, lookup):
    path = write_lines(["q Q0 d2 1 2.0 x", "other Q0 d3 1 2.0 x", "q Q0 d4 2 1.0 x"], "run.txt")
    with pytest.raises(NegauditError, match=r"line 3: query q was there before.*sort"):
        open_source(path, collection=lookup)


def test_queries_without_a_judged_passage_and_lines_without_a_score_are_rejected(write_lines, lookup, tmp_path):
    path = write_lines(["q Q0 d2 1 2.0 x", "q Q0 d3 2 high x", "nobody Q0 d3 1 2.0 x"], "run.txt")
    source = open_source(path, collection=lookup)
    assert source.metadata.counts["records"]["rejected"] == {"bad_score": 1, "unknown_query": 1}


def test_a_run_needs_its_collection(write_lines):
    path = write_lines(["q Q0 d2 1 2.0 x"], "run.txt")
    with pytest.raises(NegauditError, match="--corpus, --queries, --qrels"):
        open_source(path)
