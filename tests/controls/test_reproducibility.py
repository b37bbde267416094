"""A control depends on the seed and the records, not on the order of rows, the file or the other controls built."""

from __future__ import annotations

from random import Random

import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.draws import Draws
from negaudit.controls.recipe import shipped_recipes
from negaudit.data.source import NegativeSource
from negaudit.data.store import write_source

LEXICAL = [recipe for recipe in shipped_recipes() if not recipe.needs_encoder]


@pytest.fixture
def distinct(make_source):
    rows = [(f"q{i}", f"question {i}", [f"answer {i}"], [f"passage {i} {j}" for j in range(5)]) for i in range(60)]
    return make_source(rows)


def by_query(source):
    return {record.query_id: record for record in source.records()}


def test_row_order_changes_no_record(distinct):
    records = list(distinct.records())
    Random(1).shuffle(records)
    moved = NegativeSource.from_records(records, distinct.metadata)
    here, there = build_controls({"bm25": distinct}), build_controls({"bm25": moved})
    for name in here:
        assert by_query(here[name]) == by_query(there[name])
        assert [record.query_id for record in there[name].records()] == [record.query_id for record in records]


def test_equal_input_gives_equal_bytes_from_memory_and_from_a_file(distinct, tmp_path):
    stored = NegativeSource.from_parquet(write_source(distinct, tmp_path / "bm25.parquet"))
    for name, control in build_controls({"bm25": distinct}).items():
        again = build_controls({"bm25": stored})[name]
        first, second = write_source(control, tmp_path / "first.parquet"), write_source(again, tmp_path / "second.parquet")
        assert first.read_bytes() == second.read_bytes()


def test_a_control_is_the_same_alone_and_in_company(distinct):
    together = build_controls({"bm25": distinct})
    for recipe in LEXICAL:
        alone = build_controls({"bm25": distinct}, recipes=[recipe])[recipe.name]
        assert alone.fingerprint() == together[recipe.name].fingerprint()


def test_every_seed_draws_otherwise_and_zero_is_a_seed(distinct):
    for recipe in LEXICAL:
        prints = {build_controls({"bm25": distinct}, recipes=[recipe], seed=seed)[recipe.name].fingerprint() for seed in (0, 1, 42)}
        assert len(prints) == 3


def test_records_of_one_query_id_draw_apart(many):
    built = build_controls({"bm25": many})["random"]
    lists = [tuple(negative.text for negative in record.negatives) for record in built.records()]
    assert len(set(lists)) == len(lists)


def test_draws_stay_what_they_are_from_one_version_to_the_next():
    draws = Draws.of(42, "random", "q1", 0)
    assert draws.below(1000, "passage", 0, 0) == 684
    assert draws.uniform("replaced", 0) == 0.3237862165955253
    assert Draws.of(42, "random", "q1", 1) != draws
