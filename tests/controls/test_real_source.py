"""On the packaged SciFact every rule of the controls holds for every negative."""

from __future__ import annotations

import pytest

from negaudit.controls.builder import build_controls
from negaudit.data.dataset import open_collection
from negaudit.mining.bm25 import mine_bm25
from negaudit.resources import resource
from negaudit.text.folding import folded


@pytest.fixture(scope="module")
def scifact():
    return open_collection(resource("scifact"))


@pytest.fixture(scope="module")
def mined(scifact):
    return mine_bm25(scifact, k=10)


@pytest.mark.parametrize("given", [True, False], ids=["passages of the collection", "passages of the run"])
def test_no_control_holds_a_positive_or_a_repeat(scifact, mined, given):
    built = build_controls({"bm25": mined}, collection=scifact if given else None)
    own = built.pop("own_positive")
    assert list(built) == ["dilute_100", "dilute_25", "dilute_50", "dilute_75", "random", "shuffled"]
    assert own.num_records == mined.num_records
    for source in built.values():
        assert source.num_records == mined.num_records
        for record in source.records():
            positives = {folded(text) for text in record.positives}
            texts = [folded(negative.text) for negative in record.negatives]
            ids = [negative.id for negative in record.negatives]
            assert positives.isdisjoint(texts)
            assert set(record.positive_ids).isdisjoint(ids)
            assert len(set(ids)) == len(ids)


def test_four_equal_claims_never_lend_to_each_other(scifact, mined):
    built = build_controls({"bm25": mined}, collection=scifact)["shuffled"]
    owner = {tuple(n.id for n in record.negatives): folded(record.query) for record in mined.records()}
    assert all(owner[tuple(n.id for n in record.negatives)] != folded(record.query) for record in built.records())
