"""On whole collections both miners equal independent exact computations, and their rankings are sound by nDCG@10 and recall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.dense import mine_dense
from tests.mining.rankings import Bm25Formula, check_exclusion, check_order, positives_by_query, ranking

pytestmark = pytest.mark.acceptance
COLLECTIONS = ("scifact", "msmarco_dl19")


@pytest.fixture(scope="module", params=COLLECTIONS)
def collection(request: pytest.FixtureRequest, shared_data: Path) -> Collection:
    return open_collection(shared_data / request.param)


def measure(collection: Collection, run: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return nDCG@10, R@10 and R@100 of the rankings, and print them."""
    import ir_measures
    from ir_measures import R, nDCG

    qrels: dict[str, dict[str, int]] = {}
    for row in collection.judgements.to_pylist():
        qrels.setdefault(row["query_id"], {})[row["passage_id"]] = row["grade"]
    found = ir_measures.calc_aggregate([nDCG @ 10, R @ 10, R @ 100], qrels, run)
    values = {str(measure): value for measure, value in found.items()}
    print(collection.name, {name: round(value, 4) for name, value in sorted(values.items())})  # noqa: T201
    return values


def test_bm25_equals_the_formula_and_ranks_well(collection: Collection) -> None:
    ids, texts = collection.passages["id"].to_pylist(), collection.passages["text"].to_pylist()
    formula = Bm25Formula(texts)
    run: dict[str, dict[str, float]] = {}
    positives = positives_by_query(collection)
    for record in mine_bm25(collection).records():
        scores = formula.scores(record.query)
        order = ranking(scores, ids)
        run[record.query_id] = {ids[i]: float(scores[i]) for i in order[:100]}
        kept = [ids[i] for i in order if scores[i] > 0 and ids[i] not in record.positive_ids][:10]
        check_order(record, dict(zip(ids, scores, strict=True)), kept, 1e-5)
        check_exclusion(positives[record.query_id], record)
    assert measure(collection, run)["nDCG@10"] > {"scifact": 0.65, "msmarco_dl19": 0.38}[collection.name]


def test_dense_equals_brute_force_in_order_and_ranks_well(collection: Collection, packaged_encoder: FrozenEncoder) -> None:
    ids, texts = collection.passages["id"].to_pylist(), collection.passages["text"].to_pylist()
    source = mine_dense(collection, encoder=packaged_encoder)
    passages = packaged_encoder.embed(texts, "passage").gather(slice(None)).astype(np.float64)
    run: dict[str, dict[str, float]] = {}
    positives = positives_by_query(collection)
    for record in source.records():
        scores = passages @ packaged_encoder.embed([record.query], "query").gather(slice(None))[0].astype(np.float64)
        order = ranking(scores, ids)
        run[record.query_id] = {ids[i]: float(scores[i]) for i in order[:100]}
        kept = [ids[i] for i in order if ids[i] not in record.positive_ids][:10]
        check_order(record, dict(zip(ids, scores, strict=True)), kept, 1e-7)
        check_exclusion(positives[record.query_id], record)
    assert measure(collection, run)["nDCG@10"] > {"scifact": 0.6, "msmarco_dl19": 0.6}[collection.name]
