"""A control of own positives holds the first positive at the recipe's share of places, and says at which."""

from __future__ import annotations

import math

import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.recipe import Recipe, choose_recipes
from negaudit.errors import NegauditError


def test_the_shipped_control_puts_the_first_positive_at_half_of_the_places(many):
    built = build_controls({"bm25": many}, recipes=choose_recipes(["own_positive"]))["own_positive"]
    replaced = 0
    for before, after in zip(many.records(), built.records(), strict=True):
        for old, new in zip(before.negatives, after.negatives, strict=True):
            if new.replaced:
                replaced += 1
                assert (new.text, new.id, new.origin) == (before.positives[0], before.positive_ids[0], "own_positive")
                assert new.rank is new.score is None
            else:
                assert (new.text, new.id, new.origin, new.rank) == (old.text, old.id, "bm25", old.rank)
    assert abs(replaced - 1000) < 4 * math.sqrt(2000 * 0.25)
    assert built.metadata.details["control"]["share"] == replaced / 2000


@pytest.mark.parametrize(("fraction", "expected"), [(0.1, 1), (0.25, 2), (1.0, 10)])
def test_any_rate_can_be_asked_for_by_count(many, fraction, expected):
    built = build_controls({"bm25": many}, recipes=[Recipe("own", "own_positive", fraction, mode="count")])["own"]
    assert {sum(bool(n.replaced) for n in record.negatives) for record in built.records()} == {expected}


def test_an_empty_positive_is_passed_over_and_a_record_without_any_loses_the_place_with_a_count(make_source):
    source = make_source([("a", "question", [" ", "second"], ["x", "y"]), ("b", "other", [""], ["z"])])
    built = build_controls({"bm25": source}, recipes=[Recipe("own", "own_positive")])["own"]
    (record,) = built.records()
    assert [n.text for n in record.negatives] == ["second", "second"]
    assert built.metadata.counts["negatives"] == {"read": 3, "used": 2, "rejected": {"no_positive": 1}}
    with pytest.raises(NegauditError, match="1 with no_positive"):
        build_controls({"bm25": make_source([("b", "other", [""], ["z"])])}, recipes=[Recipe("own", "own_positive")])
