"""Random negatives are drawn uniformly, never a positive, never twice in a record, and never missing without a count."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.recipe import Recipe
from negaudit.data.collection import Collection
from negaudit.errors import NegauditError

RANDOM = Recipe("random", "random")


def collection(passages: dict[str, str]) -> Collection:
    table = pa.table({"id": list(passages), "text": pa.array(passages.values(), pa.large_string())})
    return Collection("made", "test", table, table.slice(0, 0), pa.table({}), {}, {"corpus": "ab"})


def test_positives_never_come_back_by_id_or_by_folded_text(make_source):
    source = make_source([(f"q{i}", f"question {i}", ["The  Answer"], ["x", "y"]) for i in range(200)])
    passages = {
        "THE  ANSWER": "another wording under the positive's id",
        "p1": "the answer",
        "p2": "ＴＨＥ ANSWER",
        "p3": "third",
        "p4": "fourth",
    }
    built = build_controls({"bm25": source}, collection=collection(passages), recipes=[RANDOM])["random"]
    assert {negative.id for record in built.records() for negative in record.negatives} == {"p3", "p4"}


def test_no_record_holds_a_passage_twice_even_under_two_ids(make_source):
    source = make_source([(f"q{i}", f"question {i}", ["answer"], ["x", "y", "z"]) for i in range(100)])
    passages = {"p1": "one", "p2": "ONE", "p3": "two", "p4": "three"}
    built = build_controls({"bm25": source}, collection=collection(passages), recipes=[RANDOM])["random"]
    for record in built.records():
        assert sorted(negative.text.lower() for negative in record.negatives) == ["one", "three", "two"]


def test_a_kept_negative_is_not_drawn_again(make_source):
    source = make_source([(f"q{i}", f"question {i}", ["answer"], ["one", "two"]) for i in range(100)])
    passages = {"p1": "one", "p2": "two", "p3": "three", "p4": "four"}
    half = Recipe("half", "random", fraction=0.5)
    built = build_controls({"bm25": source}, collection=collection(passages), recipes=[half])["half"]
    for record in built.records():
        assert len({negative.text for negative in record.negatives}) == 2


def test_every_passage_is_equally_likely(make_source):
    source = make_source([(f"q{i}", f"question {i}", ["answer"], ["x"]) for i in range(4000)])
    passages = {f"p{i}": f"passage {i}" for i in range(8)}
    built = build_controls({"bm25": source}, collection=collection(passages), recipes=[RANDOM])["random"]
    drawn = Counter(negative.id for record in built.records() for negative in record.negatives)
    # 500 expected of each, standard deviation 21; chi-square of 7 degrees is below 24.3 with probability 0.999.
    assert sum((drawn[name] - 500) ** 2 / 500 for name in passages) < 24.3


def test_a_pool_too_small_is_counted_and_not_padded(make_source):
    source = make_source([("q1", "question", ["answer"], ["x", "y", "z"])])
    built = build_controls({"bm25": source}, collection=collection({"p1": "answer", "p2": "two"}), recipes=[RANDOM])["random"]
    (record,) = built.records()
    assert [negative.text for negative in record.negatives] == ["two"]
    assert built.metadata.counts["negatives"] == {"read": 3, "used": 1, "rejected": {"no_passage_left": 2}}


def test_a_control_that_no_record_can_have_is_refused(make_source):
    source = make_source([("q1", "question", ["answer"], ["x"])])
    with pytest.raises(NegauditError, match=r"'random' could be built for no record of 'bm25': 1 read, 1 with no_passage_left"):
        build_controls({"bm25": source}, collection=collection({"p1": "Answer"}), recipes=[RANDOM])


def test_without_a_collection_passages_of_all_sources_but_controls_are_drawn(make_source):
    source = make_source([(f"q{i}", f"question {i}", ["answer"], ["x"]) for i in range(300)])
    other = make_source([("q", "question", ["far"], ["wide", " "])], name="other")
    control = make_source([("q", "question", ["no"], ["never"])], name="old").with_role("control")
    built = build_controls({"bm25": source, "other": other, "old": control}, recipes=[RANDOM])["random"]
    assert {negative.text for record in built.records() for negative in record.negatives} == {"x", "far", "wide"}
    assert set(built.metadata.inputs) == {"source bm25", "source other"}


def test_a_drawn_negative_says_so_and_carries_no_rank_of_another_query(many):
    built = build_controls({"bm25": many}, recipes=[RANDOM])["random"]
    for record in built.records():
        assert len(record.negatives) == 10
        assert all((n.origin, n.replaced, n.rank, n.score) == ("random", True, None, None) for n in record.negatives)
