"""Dense mining equals brute force in float64, whatever the block size, with ties by id and unusable embeddings counted."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from negaudit.encoding.embeddings import Embeddings
from negaudit.encoding.encoder import FrozenEncoder, load_encoder
from negaudit.encoding.packaged import packaged_model_folder
from negaudit.errors import NegauditError
from negaudit.mining.dense import mine_dense
from negaudit.mining.dense_search import DenseSearch
from tests.conftest import WriteBeir
from tests.mining.rankings import check_exclusion, check_order, positives_by_query, ranking


def embeddings(vectors: np.ndarray, usable: np.ndarray | None = None) -> Embeddings:
    count = len(vectors)
    flags = np.ones(count, np.bool_) if usable is None else usable
    return Embeddings(vectors.astype(np.float32), np.arange(count), flags, np.full(count, 5), 128)


def unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def small(collection: Collection, queries: int) -> Collection:
    from dataclasses import replace

    return replace(collection, queries=collection.queries.slice(0, queries))


def test_the_ten_best_equal_brute_force(xquad: Collection, minilm_l3: FrozenEncoder) -> None:
    collection = small(xquad, 80)
    positives = positives_by_query(collection)
    ids = collection.passages["id"].to_pylist()
    passages = minilm_l3.embed(collection.passages["text"].to_pylist(), "passage").gather(slice(None)).astype(np.float64)
    for record in mine_dense(collection, encoder=minilm_l3).records():
        scores = passages @ minilm_l3.embed([record.query], "query").gather(slice(None))[0].astype(np.float64)
        order = ranking(scores, ids)
        kept = [i for i in order if ids[i] not in record.positive_ids][:10]
        check_order(record, dict(zip(ids, scores, strict=True)), [ids[i] for i in kept], 1e-7)
        assert [negative.rank for negative in record.negatives] == [order.index(i) + 1 for i in kept]
        assert [negative.score for negative in record.negatives] == pytest.approx(scores[kept], abs=1e-7, rel=0)
        check_exclusion(positives[record.query_id], record)


def test_block_size_and_passage_order_change_no_negative(xquad: Collection, minilm_l3: FrozenEncoder) -> None:
    from dataclasses import replace

    collection = small(xquad, 80)
    whole = mine_dense(collection, encoder=minilm_l3)
    order = np.random.default_rng(5).permutation(collection.passages.num_rows)
    shuffled = replace(collection, passages=collection.passages.take(order))
    for other in (mine_dense(collection, encoder=minilm_l3, block_size=7), mine_dense(shuffled, encoder=minilm_l3, block_size=50)):
        assert list(other.records()) == list(whole.records())


@pytest.mark.parametrize("block_size", [1, 64, 1000])
@pytest.mark.parametrize("depth", [1, 10, 399, 400])
def test_search_gives_the_best_and_every_passage_tied_with_the_last(block_size: int, depth: int) -> None:
    random = np.random.default_rng(1)
    passages = unit(random.normal(size=(400, 24)))
    passages[100:180] = passages[3]  # more copies than the search has to spare
    queries = unit(np.vstack([passages[3] + 0.1 * random.normal(size=24), random.normal(size=(5, 24))]))
    found = list(DenseSearch(embeddings(passages), block_size).top(queries, np.full(6, depth)))
    for query, (positions, scores) in zip(queries, found, strict=True):
        exact = (passages.astype(np.float64) * query.astype(np.float64)).sum(axis=1)
        least = np.sort(exact)[-depth]
        assert sorted(positions.tolist()) == np.flatnonzero(exact.astype(np.float32) >= np.float32(least)).tolist()
        assert np.array_equal(scores, exact[positions].astype(np.float32))


def test_copies_that_tie_across_the_cut_are_taken_by_id(write_beir: WriteBeir, minilm_l3: FrozenEncoder) -> None:
    order = np.random.default_rng(7).permutation(60)
    passages = [{"_id": f"c{i:02d}", "title": "", "text": "A cat sleeps here."} for i in order]
    passages += [{"_id": "best", "title": "", "text": "Cats sleep."}, {"_id": "twin", "title": "", "text": "CATS  sleep."}]
    collection = open_collection(write_beir(passages, [{"_id": "q", "text": "do cats sleep"}], ["q\tbest\t1"]))
    source = mine_dense(collection, encoder=minilm_l3, block_size=16)
    record = next(iter(source.records()))
    assert [negative.id for negative in record.negatives] == [f"c{i:02d}" for i in range(10)]
    assert source.metadata.counts["negatives"]["rejected"] == {"positive_id": 1, "positive_text": 1}


def test_k_beyond_the_collection_keeps_what_there_is(tiny_collection: Collection, minilm_l3: FrozenEncoder) -> None:
    source = mine_dense(tiny_collection, encoder=minilm_l3, k=50)
    counts = [len(record.negatives) for record in source.records()]
    passages = tiny_collection.passages.num_rows
    assert counts == [passages - len(query.positive_ids) for query in tiny_collection.labelled_queries()[0]]
    assert source.metadata.details["short_records"]["missing_negatives"] == sum(50 - count for count in counts)


def test_unusable_passages_are_no_candidates() -> None:
    passages = unit(np.random.default_rng(2).normal(size=(30, 8)))
    usable = np.arange(30) % 3 != 0
    passages[~usable] = np.nan
    [(positions, scores)] = DenseSearch(embeddings(passages, usable), 4).top(unit(np.ones((1, 8))), np.array([30]))
    assert sorted(positions.tolist()) == np.flatnonzero(usable).tolist()
    assert np.isfinite(scores).all()


def test_unusable_texts_are_counted(tiny_collection: Collection, minilm_l3_path: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "broken"
    shutil.copytree(minilm_l3_path, folder)
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if name.endswith("word_embeddings.weight"))
    birds = (packaged_model_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n").index("birds")
    weights[name][birds] = np.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    encoder = load_encoder(folder, device="cpu", cache=tmp_path / "cache", batch_tokens=1)
    source = mine_dense(tiny_collection, encoder=encoder)
    negatives = {record.query_id: [negative.id for negative in record.negatives] for record in source.records()}
    assert negatives["q3"] == []  # do birds sleep
    assert "d3" not in negatives["q1"] + negatives["q2"]
    assert source.metadata.details["queries_without_usable_embedding"] == 1
    assert source.metadata.details["passages_without_usable_embedding"] == 1


def test_the_contract_and_the_stages_are_there(tiny_collection: Collection, minilm_l3_path: Path, tmp_path: Path) -> None:
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path)
    calls: list[tuple[str, int, int]] = []
    source = mine_dense(tiny_collection, encoder=encoder, progress=lambda *call: calls.append(call))
    assert list(dict.fromkeys(stage for stage, _, _ in calls)) == ["encoding passages", "encoding queries", "searching"]
    assert calls[-1] == ("searching", 3, 3)
    assert source.metadata.origins["dense"]["contract"] == encoder.contract.as_dict()
    assert str(tmp_path) not in source.metadata.to_json()


def test_a_bad_block_size_is_one_line(tiny_collection: Collection, minilm_l3: FrozenEncoder) -> None:
    with pytest.raises(NegauditError, match="block size is 0"):
        mine_dense(tiny_collection, encoder=minilm_l3, block_size=0)
