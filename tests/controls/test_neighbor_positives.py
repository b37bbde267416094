"""A control of neighbouring positives holds those positives of other queries that the encoder puts nearest, each once."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.neighbor_positives import _nearest_first
from negaudit.controls.recipe import Recipe, choose_recipes
from negaudit.data.dataset import open_collection
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import mine_bm25
from negaudit.resources import resource
from negaudit.text.folding import folded

NEIGHBORS = Recipe("near", "neighbor_positive")


@pytest.fixture(scope="module")
def mined():
    return mine_bm25(open_collection(resource("scifact")), k=10)


@pytest.fixture(scope="module")
def built(mined, packaged_encoder):
    return build_controls({"bm25": mined}, recipes=choose_recipes(["neighbor_positive"]), encoder=packaged_encoder)["neighbor_positive"]


def test_on_scifact_they_are_the_nearest_that_a_search_by_hand_finds(mined, built, packaged_encoder):
    records = list(mined.records())
    texts = sorted({text for record in records for text in record.positives})
    vectors = packaged_encoder.embed(texts, "passage").gather(slice(None)).astype(np.float64)
    row = {text: at for at, text in enumerate(texts)}
    own: dict[str, set[str]] = {}
    for record in records:
        own.setdefault(folded(record.query), set()).update(folded(text) for text in record.positives)
    for record, after in list(zip(records, built.records(), strict=True))[::7]:
        allowed = [text for text in texts if folded(text) not in own[folded(record.query)]]
        similarity = vectors[[row[text] for text in allowed]] @ vectors[row[record.positives[0]]]
        expected = np.sort(similarity)[::-1][:10]
        found = [vectors[row[n.text]] @ vectors[row[record.positives[0]]] for n in after.negatives]
        assert np.allclose(found, expected, atol=1e-6)
        assert len({folded(n.text) for n in after.negatives}) == len({n.id for n in after.negatives}) == 10
        assert all(n.replaced and n.origin == "neighbor_positive" for n in after.negatives)


def test_no_own_positive_comes_back_by_id_or_folded_text_or_through_another_record_of_the_query(make_source, packaged_encoder):
    source = make_source(
        [
            ("a", "do cats sleep", ["cats sleep all day"], ["w", "x", "y"]),
            ("b", "Do  cats sleep", ["cats sleep at noon"], ["w"]),  # the same query
            ("c", "what do cats do", ["Cats  sleep all day", "cats hunt mice"], ["w"]),  # the positive of a, folded
            ("d", "what do dogs do", ["dogs bark"], ["w"]),
        ]
    )
    built = {r.query_id: r for r in build_controls({"bm25": source}, recipes=[NEIGHBORS], encoder=packaged_encoder)["near"].records()}
    assert [n.text for n in built["a"].negatives] == ["cats hunt mice", "dogs bark"]
    counts = build_controls({"bm25": source}, recipes=[NEIGHBORS], encoder=packaged_encoder)["near"].metadata.counts
    assert counts["negatives"]["rejected"] == {"no_neighbor_left": 1}


def test_a_share_of_them_repeats_no_kept_negative(make_source, packaged_encoder):
    rows = [(f"q{i}", f"question {i}", [f"answer number {i}"], [f"answer number {(i + j) % 30}" for j in range(1, 7)]) for i in range(30)]
    half = Recipe("half", "neighbor_positive", 0.5, mode="count")
    for record in build_controls({"bm25": make_source(rows)}, recipes=[half], encoder=packaged_encoder)["half"].records():
        assert len({n.text for n in record.negatives}) == 6
        assert sum(bool(n.replaced) for n in record.negatives) == 3


def test_row_order_changes_no_record(mined, built, packaged_encoder):
    moved = NegativeSource.from_records(reversed(list(mined.records())), mined.metadata)
    again = build_controls({"bm25": moved}, recipes=choose_recipes(["neighbor_positive"]), encoder=packaged_encoder)["neighbor_positive"]
    assert list(again.records())[::-1] == list(built.records())


def test_without_an_encoder_it_is_left_out_of_all_and_refused_when_named(many):
    notes: list[str] = []
    assert "neighbor_positive" not in build_controls({"bm25": many}, note=notes.append)
    assert notes == ["left out for want of an encoder: neighbor_positive"]
    with pytest.raises(NegauditError, match="'near' is built by an encoder and got none"):
        build_controls({"bm25": many}, recipes=[NEIGHBORS])


def test_the_nearest_come_first_and_ties_in_their_order_however_few_are_wanted():
    similarity = np.array([0.5, 0.9, 0.5, 0.1, 0.9, 0.5], np.float32)
    for first in range(1, 9):
        assert list(_nearest_first(similarity, first)) == [1, 4, 0, 2, 5, 3]
