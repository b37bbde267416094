"""BM25 mining equals the formula computed in plain Python, orders ties by id, and accounts for what it lacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from negaudit.data.store import write_source
from negaudit.errors import NegauditError
from negaudit.mining import bm25_index
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.passages import Passages, _digest
from negaudit.text.folding import folded
from tests.conftest import WriteBeir
from tests.mining.rankings import Bm25Formula, check_exclusion, check_order, positives_by_query, ranking, same_text


@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4)])
def test_the_ten_best_equal_the_formula(stackfaq: Collection, k1: float, b: float) -> None:
    ids, texts = stackfaq.passages["id"].to_pylist(), stackfaq.passages["text"].to_pylist()
    formula = Bm25Formula(texts, k1, b)
    source = mine_bm25(stackfaq, k1=k1, b=b)
    labelled = positives_by_query(stackfaq)
    assert source.num_records == len(labelled)
    for record in list(source.records())[::5]:
        scores = formula.scores(record.query)
        positives = set(labelled[record.query_id].positive_ids)
        order = ranking(scores, ids)
        kept = [i for i in order if scores[i] > 0 and ids[i] not in positives][:10]
        check_order(record, dict(zip(ids, scores, strict=True)), [ids[i] for i in kept], 1e-5)
        place = {ids[i]: at for at, i in enumerate(order)}
        for negative in record.negatives:
            assert negative.score == pytest.approx(scores[ids.index(negative.id or "")], abs=1e-4)
            near = order[(negative.rank or 0) - 1]
            assert abs(scores[near] - scores[order[place[negative.id or ""]]]) <= 1e-5


def test_no_negative_is_a_positive_by_id_or_text(stackfaq: Collection) -> None:
    positives = positives_by_query(stackfaq)
    for record in mine_bm25(stackfaq, k=5).records():
        check_exclusion(positives[record.query_id], record)


def test_both_back_ends_of_bm25s_give_the_same_source(xquad: Collection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_source(mine_bm25(xquad), tmp_path / "numpy.parquet")
    monkeypatch.setattr(bm25_index, "WORTH_COMPILING", 0)
    write_source(mine_bm25(xquad), tmp_path / "numba.parquet")
    assert (tmp_path / "numpy.parquet").read_bytes() == (tmp_path / "numba.parquet").read_bytes()


def tied_collection(write_beir: WriteBeir, copies: int) -> Collection:
    """Return a query, its positive, that positive's text in other clothes under another id, and `copies` of one passage."""
    order = np.random.default_rng(7).permutation(copies)
    passages = [{"_id": f"c{i:04d}", "title": "", "text": "the cat sleeps here"} for i in order]
    passages += [
        {"_id": "best", "title": "", "text": "cat cat sleeps"},
        {"_id": "twin", "title": "", "text": "  CAT cat　ｓｌｅｅｐｓ "},
        {"_id": "far", "title": "", "text": "dogs bark"},
    ]
    queries = [{"_id": "q", "text": "cat sleeps"}, {"_id": "unknown", "text": "zzz"}, {"_id": "dots", "text": "…"}]
    qrels = ["q\tbest\t1", "unknown\tbest\t1", "dots\tbest\t1"]
    return open_collection(write_beir(passages, queries, qrels, name=f"tied{copies}"))


@pytest.mark.parametrize("copies", [3, 10, 11, 50, 700])
def test_a_tie_across_the_cut_is_resolved_by_id(write_beir: WriteBeir, copies: int) -> None:
    record = next(iter(mine_bm25(tied_collection(write_beir, copies)).records()))
    expected = [f"c{i:04d}" for i in range(min(copies, 10))]
    assert [negative.id for negative in record.negatives] == expected
    assert [negative.rank for negative in record.negatives] == list(range(3, 3 + len(expected)))


def test_everything_has_a_denominator(write_beir: WriteBeir) -> None:
    metadata = mine_bm25(tied_collection(write_beir, 3)).metadata
    assert metadata.counts["negatives"] == {"read": 5, "used": 3, "rejected": {"positive_id": 1, "positive_text": 1}}
    assert metadata.counts["queries"] == {"read": 3, "used": 3, "rejected": {}}
    assert metadata.details["queries_without_known_token"] == 2
    short = metadata.details["short_records"]
    assert short == {"records": 3, "missing_negatives": 27, "without_negatives": 2, "not_candidates": 1 + 6 + 6, "beyond_depth": 0}


def test_passages_without_a_shared_term_are_no_candidates(write_beir: WriteBeir) -> None:
    records = list(mine_bm25(tied_collection(write_beir, 3), k=100).records())
    assert [len(record.negatives) for record in records] == [3, 0, 0]


def test_a_repeated_query_term_counts_twice(tiny_collection: Collection, write_beir: WriteBeir) -> None:
    passages = [{"_id": "p", "title": "", "text": "x"}, {"_id": "a", "title": "", "text": "cat"}, {"_id": "b", "title": "", "text": "dog"}]
    collection = open_collection(write_beir(passages, [{"_id": "q", "text": "dog cat cat"}], ["q\tp\t1"], name="repeats"))
    first, second = next(iter(mine_bm25(collection).records())).negatives
    assert (first.id, second.id) == ("a", "b")
    assert first.score == pytest.approx(2 * (second.score or 0))


def test_the_order_of_passages_changes_no_negative(xquad: Collection) -> None:
    from dataclasses import replace

    order = np.random.default_rng(3).permutation(xquad.passages.num_rows)
    shuffled = replace(xquad, passages=xquad.passages.take(order))
    assert list(mine_bm25(xquad).records()) == list(mine_bm25(shuffled).records())


def test_the_metadata_says_how_it_was_made(xquad: Collection) -> None:
    metadata = mine_bm25(xquad, name="lexical").metadata
    origin = metadata.origins["lexical"]
    assert (metadata.name, metadata.role) == ("lexical", "candidate")
    assert origin["parameters"] == {"method": "lucene", "k1": 1.5, "b": 0.75, "tokenizer": "alnum"}
    assert set(origin["versions"]) == {"bm25s", "numpy"}
    assert metadata.inputs == dict(xquad.fingerprints)


def test_positives_below_the_grade_can_be_negatives(tiny_collection: Collection) -> None:
    strict = {record.query_id: record for record in mine_bm25(tiny_collection, min_relevance=2).records()}
    assert list(strict) == ["q1"]
    assert strict["q1"].positive_ids == ("d1",)
    assert "d4" in [negative.id for negative in strict["q1"].negatives]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"k": 0}, "k is 0"),
        ({"k1": -1.0}, "k1 is -1.0"),
        ({"b": 1.5}, "b is 1.5"),
        ({"method": "lucen"}, "did you mean 'lucene'"),
        ({"tokenizer": "alphanum"}, "unknown tokenizer 'alphanum'"),
        ({"min_relevance": 9}, "no query has a judgement of grade 9 or more"),
    ],
)
def test_bad_options_are_one_line(tiny_collection: Collection, options: dict[str, object], words: str) -> None:
    with pytest.raises(NegauditError, match=words) as caught:
        mine_bm25(tiny_collection, **options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_folded_copies_are_the_same_text() -> None:
    assert same_text("cat cat sleeps", "  CAT cat　ｓｌｅｅｐｓ ")


def test_folded_texts_are_told_apart_and_found_whatever_their_digests_end_in(write_beir: WriteBeir) -> None:
    # Numpy leaves the zeros at the end of a byte string out of its comparisons with Python's.
    ends_in_zero = next(text for i in range(10_000) if _digest(text := f"text {i}").endswith(b"\0"))
    texts = [ends_in_zero, "another", ends_in_zero.upper(), "a third"]
    rows = [{"_id": f"d{i}", "title": "", "text": text} for i, text in enumerate(texts)]
    passages = Passages.of(open_collection(write_beir(rows, [{"_id": "q", "text": "x"}], ["q\td0\t1"], name="zeros")))
    assert [passages.fold_of(folded(text)) for text in texts] == passages.fold.tolist()
    assert passages.fold[0] == passages.fold[2]
    assert passages.fold_of("no passage has this") == -1
    assert sorted(passages.same_as(["d0"]).tolist()) == [0, 2]
