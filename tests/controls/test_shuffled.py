"""A shuffled record has the whole list of another record that has nothing in common with it."""

from __future__ import annotations

import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.recipe import Recipe
from negaudit.errors import NegauditError

SHUFFLED = Recipe("shuffled", "shuffled")


def lists(source):
    return {record.query_id: [negative.text for negative in record.negatives] for record in source.records()}


def test_lists_move_whole_and_in_order(many):
    built = build_controls({"bm25": many}, recipes=[SHUFFLED])["shuffled"]
    originals = {tuple(n.text for n in record.negatives): record.query for record in many.records()}
    for record in built.records():
        assert originals[tuple(n.text for n in record.negatives)] != record.query
        assert all((n.origin, n.replaced, n.rank, n.score) == ("shuffled", True, None, None) for n in record.negatives)


def test_nobody_borrows_where_query_or_positive_is_shared_or_the_list_holds_an_own_positive(make_source):
    source = make_source(
        [
            ("a", "Same  question", ["p a"], ["from a"]),
            ("b", "same question", ["p b"], ["from b"]),  # the query of a, folded
            ("c", "question c", ["P A"], ["from c"]),  # the positive of a, folded
            ("d", "question d", ["p d"], ["from d", "p A"]),  # holds the positive of a and c
            ("e", "question e", ["p e"], ["from e"]),
            ("f", "question f", ["p f"], []),  # has nothing to lend
        ]
    )
    for seed in range(30):
        built = lists(build_controls({"bm25": source}, recipes=[SHUFFLED], seed=seed)["shuffled"])
        assert built["a"] == ["from e"]
        assert built["b"] in (["from c"], ["from d", "p A"], ["from e"])
        assert built["c"] in (["from b"], ["from e"])
        assert "f" not in built


def test_every_record_that_can_lend_does(many):
    drawn = {next(iter(lists(build_controls({"bm25": many}, recipes=[SHUFFLED], seed=seed)["shuffled"]).values()))[0] for seed in range(40)}
    assert len(drawn) > 30


def test_a_record_nobody_can_lend_to_is_counted(make_source):
    source = make_source([("a", "question", ["p"], ["x"]), ("b", "other", ["P"], ["y", "z"]), ("c", "third", ["q"], ["p", "w"])])
    built = build_controls({"bm25": source}, recipes=[SHUFFLED])["shuffled"]
    assert built.metadata.counts["records"] == {"read": 3, "used": 1, "rejected": {"no_other_record": 2}}
    assert built.metadata.counts["negatives"] == {"read": 5, "used": 2, "rejected": {"no_other_record": 3}}


def test_a_single_record_is_refused_in_one_line(make_source):
    source = make_source([("a", "question", ["p"], ["x"])])
    with pytest.raises(NegauditError, match="1 with no_other_record") as raised:
        build_controls({"bm25": source}, recipes=[SHUFFLED])
    assert "\n" not in str(raised.value)
