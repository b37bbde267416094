"""Mining by a dense encoder: exact search over the collection's embeddings, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource
from negaudit.encoding.embeddings import Embeddings
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.errors import NegauditError
from negaudit.mining.dense_search import DenseSearch
from negaudit.mining.mined_source import MiningTask, Progress, mined_source, package_versions
from negaudit.mining.ranking import Ranking, ranked

BLOCK_SIZE = 16_384
QUERIES_AT_ONCE = 256


def mine_dense(
    collection: Collection,
    *,
    encoder: FrozenEncoder,
    k: int = 10,
    block_size: int = BLOCK_SIZE,
    min_relevance: int = 1,
    name: str = "dense",
    progress: Progress | None = None,
) -> NegativeSource:
    """Return each labelled query's `k` nearest passages by the encoder that are no labelled positive, by id or folded text.

    Scores are inner products (cosines, at unit norm) taken in float64; equal scores are ordered by id; ranks count from 1, before
    exclusion.
    `block_size` is how many passages are searched at once: it bounds the memory (at most 256 x block_size scores) and changes no result.
    Passages without a usable embedding are no candidates, and a query without one keeps no negatives: both are counted.
    Raises NegauditError where k or the block size is out of range, or there is nothing to mine.
    """
    if block_size < 1:
        raise NegauditError(f"block size is {block_size}: expected at least 1 passage")
    task = MiningTask.of(collection, k, min_relevance)
    passages = encoder.embed(task.passages.texts, "passage", progress=_stage(progress, "encoding passages"))
    queries = encoder.embed([query.query for query in task.queries], "query", progress=_stage(progress, "encoding queries"))
    parameters = {"search": "exact", "similarity": encoder.contract.similarity}
    origin = {
        "method": "dense",
        "parameters": parameters,
        "contract": encoder.contract.as_dict(),
        "versions": package_versions("sentence-transformers", "torch", "transformers", "numpy"),
    }
    details = {
        "queries_without_usable_embedding": int((~queries.usable).sum()),
        "passages_without_usable_embedding": int((~passages.usable).sum()),
    }
    rankings = _rankings(task, DenseSearch(passages, block_size), queries, progress)
    return mined_source(task, rankings, name=name, origin=origin, details=details)


def _stage(progress: Progress | None, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, stage)


def _rankings(task: MiningTask, search: DenseSearch, queries: Embeddings, progress: Progress | None) -> Iterator[Ranking]:
    for start in range(0, len(queries), QUERIES_AT_ONCE):
        stop = min(start + QUERIES_AT_ONCE, len(queries))
        block = np.arange(start, stop)
        usable = block[queries.usable[block]]
        depths = np.array([task.depth(task.queries[i]) for i in usable], np.int64)
        found = dict(zip(usable.tolist(), search.top(queries.gather(usable), depths), strict=True))
        for i in block.tolist():
            positions, scores = found.get(i, (np.empty(0, np.int64), np.empty(0, np.float32)))
            yield ranked(positions, scores, task.passages.id_order)
        if progress is not None:
            progress("searching", stop, len(queries))
