"""Mining by BM25: the passages that share the most telling terms with a query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource
from negaudit.mining.bm25_index import Bm25Index, Bm25Parameters
from negaudit.mining.mined_source import MiningTask, Progress, mined_source, package_versions
from negaudit.mining.passages import Positions
from negaudit.mining.ranking import Ranking, ranked

QUERIES_AT_ONCE = 256


def mine_bm25(
    collection: Collection,
    *,
    k: int = 10,
    k1: float = 1.5,
    b: float = 0.75,
    method: str = "lucene",
    tokenizer: str = "alnum",
    min_relevance: int = 1,
    name: str = "bm25",
    progress: Progress | None = None,
) -> NegativeSource:
    """Return each labelled query's `k` best passages by BM25 that are no labelled positive, by id or folded text.

    `method` is lucene, robertson or atire. Passages without a term of the query are no candidates, so records may keep fewer.
    Equal scores are ordered by id; ranks count from 1, before exclusion. Raises NegauditError for parameters out of range.
    """
    parameters = Bm25Parameters(method, k1, b, tokenizer)
    task = MiningTask.of(collection, k, min_relevance)
    if progress is not None:
        progress("indexing passages", 0, len(task.passages))
    index = Bm25Index(task.passages.texts, parameters, len(task.queries))
    terms = index.query_terms([query.query for query in task.queries])
    origin = {"method": "bm25", "parameters": asdict(parameters), "versions": package_versions("bm25s", "numpy")}
    details = {"queries_without_known_token": sum(not known for known in terms)}
    return mined_source(task, _rankings(task, index, terms, progress), name=name, origin=origin, details=details)


def _rankings(task: MiningTask, index: Bm25Index, terms: list[list[int]], progress: Progress | None) -> Iterator[Ranking]:
    for start in range(0, len(terms), QUERIES_AT_ONCE):
        stop = min(start + QUERIES_AT_ONCE, len(terms))
        # One more than is needed: where the last of them scores lower than what is kept, no tie crosses the cut.
        depths = [task.depth(query) + 1 for query in task.queries[start:stop]]
        yield from _block(task, index, terms[start:stop], depths)
        if progress is not None:
            progress("searching", stop, len(terms))


def _block(task: MiningTask, index: Bm25Index, terms: list[list[int]], depths: list[int]) -> Iterator[Ranking]:
    asked = [place for place, known in enumerate(terms) if known]
    deepest = min(len(task.passages), max(depths))
    found = dict(zip(asked, zip(*index.top([terms[place] for place in asked], deepest), strict=True), strict=True)) if asked else {}
    nothing = (np.empty(0, np.int64), np.empty(0, np.float32))
    for place, known in enumerate(terms):
        positions, scores = found.get(place, nothing)
        yield _exact(task, index, known, positions, scores, depths[place] - 1)


def _exact(
    task: MiningTask, index: Bm25Index, terms: list[int], positions: Positions, scores: npt.NDArray[np.float32], depth: int
) -> Ranking:
    """Return the ranking without zero scores, with all passages of the last score where the cut at `depth` runs through a tie."""
    last = scores.min(initial=np.inf)
    if len(positions) < len(task.passages) and last > 0:
        sure = scores > last
        if sure.sum() < depth:
            everything = index.scores(terms)
            positions = np.flatnonzero(everything >= last).astype(np.int64)
            scores = everything[positions]
        else:
            positions, scores = positions[sure], scores[sure]
    shared = scores > 0
    return ranked(positions[shared], scores[shared], task.passages.id_order)
