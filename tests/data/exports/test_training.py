"""Exported sentence-transformers files are what its trainer takes: they load in `datasets` and a model learns from them."""

from __future__ import annotations

import pytest

from negaudit.data.exports.converter import convert

FILES = [("st-triplet", ".csv"), ("st-ntuple", ".jsonl"), ("st-ntuple", ".parquet")]


@pytest.mark.acceptance
@pytest.mark.parametrize(("to", "ending"), FILES)
def test_one_step_with_multiple_negatives_ranking_loss(shared_data, tmp_path, minilm_l3_path, to, ending):
    datasets = pytest.importorskip("datasets")
    pytest.importorskip("accelerate")
    import torch
    from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    out = tmp_path / f"train{ending}"
    done = convert(shared_data / "negatives/flagembedding/embedder_msmarco.jsonl", to, out, k=3)
    kind = {".parquet": "parquet", ".csv": "csv", ".jsonl": "json"}[ending]
    data = datasets.load_dataset(kind, data_files=str(out), split="train", cache_dir=str(tmp_path / "cache"))
    assert data.num_rows == done.body["rows"] == (10 if to == "st-ntuple" else 250)
    model = SentenceTransformer(str(minilm_l3_path), device="cpu")
    before = [parameter.detach().clone() for parameter in model.parameters()]
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path / "model"), max_steps=1, per_device_train_batch_size=4, report_to=[], use_cpu=True, save_strategy="no"
    )
    # The scores are no labels of this loss.
    texts = data.remove_columns([name for name in data.column_names if name == "scores"])
    trainer = SentenceTransformerTrainer(model, arguments, train_dataset=texts, loss=MultipleNegativesRankingLoss(model))
    result = trainer.train()
    assert result.global_step == 1
    assert 0 < result.training_loss < 10
    assert any(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))


@pytest.mark.acceptance
def test_labeled_lists_load(shared_data, tmp_path):
    datasets = pytest.importorskip("datasets")
    out = tmp_path / "lists.parquet"
    done = convert(shared_data / "negatives/flagembedding/embedder_msmarco.jsonl", "st-labeled-list", out)
    data = datasets.load_dataset("parquet", data_files=str(out), split="train", cache_dir=str(tmp_path / "cache"))
    assert data.num_rows == done.body["rows"] == 10
    assert [len(row["positive"]) for row in data] == [len(row["labels"]) for row in data] == [26] * 10
