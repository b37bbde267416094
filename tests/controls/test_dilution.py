"""A diluted source has the share of random negatives that its recipe says; the rest stays as it was."""

from __future__ import annotations

import math

import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.recipe import Recipe


def test_independent_draws_come_to_the_fraction(many):
    built = build_controls({"bm25": many}, recipes=[Recipe("dilute_25", "random", fraction=0.25)])["dilute_25"]
    counts = [sum(bool(negative.replaced) for negative in record.negatives) for record in built.records()]
    deviation = math.sqrt(2000 * 0.25 * 0.75)
    assert abs(sum(counts) - 500) < 4 * deviation
    assert len(set(counts)) > 3  # not the same number in every record
    details = built.metadata.details["control"]
    assert (details["replaced"], details["negatives"], details["share"]) == (sum(counts), 2000, sum(counts) / 2000)


@pytest.mark.parametrize(("fraction", "replaced"), [(0.25, 2), (0.15, 2), (0.35, 4), (0.5, 5), (0.75, 8), (1.0, 10)])
def test_counted_dilution_rounds_halves_to_even_in_every_record(many, fraction, replaced):
    built = build_controls({"bm25": many}, recipes=[Recipe("counted", "random", fraction=fraction, mode="count")])["counted"]
    assert {sum(bool(negative.replaced) for negative in record.negatives) for record in built.records()} == {replaced}


def test_counted_dilution_prefers_no_position(many):
    built = build_controls({"bm25": many}, recipes=[Recipe("counted", "random", fraction=0.25, mode="count")])["counted"]
    at = [sum(bool(record.negatives[place].replaced) for record in built.records()) for place in range(10)]
    assert all(15 < count < 65 for count in at)  # 40 expected, standard deviation 5.7


def test_what_is_kept_stays_as_it_was_at_its_place(many):
    built = build_controls({"bm25": many}, recipes=[Recipe("dilute_25", "random", fraction=0.25)])["dilute_25"]
    for before, after in zip(many.records(), built.records(), strict=True):
        assert (before.query_id, before.query, before.positives, before.positive_ids) == (
            after.query_id,
            after.query,
            after.positives,
            after.positive_ids,
        )
        for old, new in zip(before.negatives, after.negatives, strict=True):
            if new.replaced:
                assert (new.origin, new.rank) == ("dilute_25", None)
            else:
                assert (new.id, new.text, new.rank, new.score, new.origin) == (old.id, old.text, old.rank, old.score, "bm25")
    assert set(built.metadata.origins) == {"bm25", "dilute_25"}
