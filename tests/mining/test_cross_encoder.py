"""The plumbing of cross-encoders, with a tiny one made here that was never trained: what it scores means nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from negaudit.data.collection import Collection
from negaudit.encoding.packaged import packaged_model_folder
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.cross_encoder import load_cross_encoder
from negaudit.mining.filters import CandidateFilters


def untrained(folder: Path, labels: int = 1) -> Path:
    """Write a cross-encoder of one layer with random weights and return its folder."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=labels
    )
    config.initializer_range = 1.0
    BertForSequenceClassification(config).save_pretrained(folder)
    AutoTokenizer.from_pretrained(packaged_model_folder()).save_pretrained(folder)
    return folder


def test_its_scores_stand_in_the_miners_place(tiny_collection: Collection, tmp_path: Path) -> None:
    model = load_cross_encoder(untrained(tmp_path / "untrained"), device="cpu")
    source = mine_bm25(tiny_collection, k=3, cross_encoder=model, filters=CandidateFilters(depth=4))
    plain = {record.query_id: record for record in mine_bm25(tiny_collection, k=3).records()}
    for record in source.records():
        texts = [negative.text for negative in record.negatives]
        scores = [negative.score or 0.0 for negative in record.negatives]
        assert scores == sorted(scores, reverse=True)
        assert np.allclose(scores, model.scores(record.query, texts), atol=1e-6)
        ranks = {negative.id: negative.rank for negative in plain[record.query_id].negatives}
        assert all(negative.rank == ranks[negative.id] for negative in record.negatives)
    assert source.metadata.origins["bm25"]["cross_encoder"] == model.description
    assert str(tmp_path) not in source.metadata.to_json()


def test_its_margin_is_to_the_positives_own_score(tiny_collection: Collection, tmp_path: Path) -> None:
    model = load_cross_encoder(untrained(tmp_path / "untrained"), device="cpu")
    source = mine_bm25(tiny_collection, k=3, cross_encoder=model, filters=CandidateFilters(margin=0.0))
    for record in source.records():
        [positive] = model.scores(record.query, [record.positives[0]])
        assert all((negative.score or 0) <= positive + 1e-6 for negative in record.negatives)
    account = source.metadata.counts["negatives"]
    assert account["rejected"].get("margin", 0) > 0


def test_a_model_of_several_outputs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="3 outputs per pair"):
        load_cross_encoder(untrained(tmp_path / "three", labels=3), device="cpu")


def test_a_folder_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="no model there") as caught:
        load_cross_encoder(tmp_path)
    assert "\n" not in str(caught.value)
