"""Other ways to search: dot products of any length and an accelerator's blocks are exact; FAISS says what it misses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from negaudit.data.collection import Collection
from negaudit.encoding.embeddings import Embeddings
from negaudit.encoding.encoder import FrozenEncoder, load_encoder
from negaudit.errors import NegauditError
from negaudit.mining.dense import mine_dense
from negaudit.mining.dense_search import DenseSearch
from negaudit.mining.device_search import DeviceNominator
from negaudit.mining.faiss_search import FaissNominator, measured_recall, recall_sample
from negaudit.mining.filters import CandidateFilters


def problem(count: int = 3000, dimension: int = 32) -> tuple[Embeddings, np.ndarray]:
    """Return clustered vectors of many lengths, some unusable, some equal, and queries."""
    random = np.random.default_rng(5)
    centres = random.normal(size=(40, dimension))
    vectors = (centres[random.integers(40, size=count)] + 0.3 * random.normal(size=(count, dimension))).astype(np.float32)
    vectors *= random.uniform(0.1, 30, size=(count, 1)).astype(np.float32)
    vectors[100:160] = vectors[50]
    usable = np.arange(count) % 11 != 0
    vectors[~usable] = np.nan
    return Embeddings(vectors, np.arange(count), usable, np.full(count, 5), 128), (5 * random.normal(size=(30, dimension))).astype(
        np.float32
    )


def check_exact(passages: Embeddings, queries: np.ndarray, search: DenseSearch, depth: int) -> None:
    usable = np.flatnonzero(passages.usable)
    vectors = passages.gather(usable).astype(np.float64)
    for query, (positions, scores) in zip(queries, search.top(queries, np.full(len(queries), depth)), strict=True):
        exact = (vectors * query.astype(np.float64)).sum(axis=1).astype(np.float32)
        least = np.sort(exact)[-depth]
        assert sorted(positions.tolist()) == usable[exact >= least].tolist()
        assert np.array_equal(scores, exact[np.searchsorted(usable, positions)])


@pytest.mark.parametrize("block_size", [64, 1000, 5000])
@pytest.mark.parametrize("device", ["", "cpu"])
def test_unnormalised_vectors_are_searched_exactly(block_size: int, device: str) -> None:
    passages, queries = problem()
    search = DenseSearch(passages, block_size, DeviceNominator(passages, block_size, device) if device else None)
    check_exact(passages, queries, search, 20)


def test_an_accelerator_searches_exactly() -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("there is no CUDA device here")
    passages, queries = problem(200_000, 384)
    check_exact(passages, queries, DenseSearch(passages, 16_384, DeviceNominator(passages, 16_384, "cuda")), 100)


def test_faiss_finds_most_and_its_recall_is_what_it_misses() -> None:
    pytest.importorskip("faiss")
    passages, queries = problem()
    nominator = FaissNominator(passages, 1000)
    approximate, exact = DenseSearch(passages, 1000, nominator, exact=False), DenseSearch(passages, 1000)
    recall = measured_recall(approximate, exact, queries, 10)
    assert 0.5 < recall <= 1
    depths = np.full(len(queries), 10)
    hits = []
    for (found, scores), (truth, best) in zip(approximate.top(queries, depths), exact.top(queries, depths), strict=True):
        assert passages.usable[found].all()
        hits.append(min(10, len(set(found) & set(truth))) / 10)
        assert scores.max() <= best.max()
    assert recall == pytest.approx(np.mean(hits))


def test_recall_is_measured_on_the_same_queries_in_any_order() -> None:
    ids = [f"q{i}" for i in range(1000)]
    sample = recall_sample(ids)
    assert len(sample) == 200
    turned = recall_sample(ids[::-1])
    assert {ids[i] for i in sample} == {ids[::-1][i] for i in turned}


def test_mining_with_faiss_keeps_its_recall(xquad: Collection, minilm_l3: FrozenEncoder) -> None:
    pytest.importorskip("faiss")
    collection = replace(xquad, queries=xquad.queries.slice(0, 60))
    source = mine_dense(collection, encoder=minilm_l3, search="faiss")
    measured = source.metadata.details["faiss"]
    assert 0.3 < measured["recall"] <= 1
    assert (measured["queries"], measured["depth"]) == (60, 10)
    assert source.metadata.origins["dense"]["parameters"]["search"] == "faiss"
    exact = {
        record.query_id: {negative.id for negative in record.negatives} for record in mine_dense(collection, encoder=minilm_l3).records()
    }
    shares = [len(exact[record.query_id] & {negative.id for negative in record.negatives}) / 10 for record in source.records()]
    assert abs(float(np.mean(shares)) - measured["recall"]) < 0.1


def test_near_copies_by_embedding_are_left_out(xquad: Collection, minilm_l3: FrozenEncoder) -> None:
    collection = replace(xquad, queries=xquad.queries.slice(0, 40))
    plain, strict = (mine_dense(collection, encoder=minilm_l3, filters=CandidateFilters(near_duplicate=share)) for share in (None, 0.6))
    removed = strict.metadata.counts["negatives"]["rejected"]
    assert removed["near_positive_embedding"] > 0
    positives = {record.query_id: minilm_l3.embed(record.positives, "passage").gather(slice(None)) for record in plain.records()}
    for record in strict.records():
        negatives = minilm_l3.embed([negative.text for negative in record.negatives], "passage").gather(slice(None))
        assert (negatives @ positives[record.query_id].T).max() < 0.6 + 1e-6


def test_mining_by_dot_product_equals_brute_force(xquad: Collection, minilm_l3_path: Path, tmp_path: Path) -> None:
    collection = replace(xquad, queries=xquad.queries.slice(0, 20), passages=xquad.passages.slice(0, 60))
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, similarity="dot")
    ids, texts = collection.passages["id"].to_pylist(), collection.passages["text"].to_pylist()
    passages = encoder.embed(texts, "passage").gather(slice(None)).astype(np.float64)
    source = mine_dense(collection, encoder=encoder)
    assert source.metadata.origins["dense"]["parameters"]["similarity"] == "dot"
    for record in source.records():
        scores = passages @ encoder.embed([record.query], "query").gather(slice(None))[0].astype(np.float64)
        expected = [ids[i] for i in np.argsort(-scores) if ids[i] not in record.positive_ids][:10]
        assert [negative.id for negative in record.negatives] == expected


def test_an_unknown_search_is_one_line(tiny_collection: Collection, minilm_l3: FrozenEncoder) -> None:
    with pytest.raises(NegauditError, match="did you mean 'faiss'"):
        mine_dense(tiny_collection, encoder=minilm_l3, search="fais")  # type: ignore[arg-type]
