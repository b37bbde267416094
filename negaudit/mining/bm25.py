"""Mining by BM25: the passages that share the most telling terms with a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource
from negaudit.mining.bm25_index import Bm25Index, Bm25Parameters
from negaudit.mining.bm25_store import open_index
from negaudit.mining.cross_encoder import CrossEncoder
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.mined_source import MiningRun, package_versions
from negaudit.mining.mining_task import MiningTask, Progress
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
    filters: CandidateFilters | None = None,
    cross_encoder: CrossEncoder | None = None,
    cache: Path | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
) -> NegativeSource:
    """Return each labelled query's `k` best passages by BM25 that are no labelled positive, by id or text, and pass `filters`.

    `method` is lucene, robertson or atire. Passages without a term of the query are no candidates, so records may keep fewer.
    Equal scores are ordered by id; ranks count from 1, before exclusion. With `cache` the index is kept under that folder, read through a
    memory map, and used again for the same passages and parameters. With `out` the source is written there as it is mined, so that a killed
    run goes on where it stopped.
    Raises NegauditError for parameters out of range.
    """
    task = MiningTask.of(collection, k, min_relevance, filters, name)
    ranker = Bm25Ranker(task, Bm25Parameters(method, k1, b, tokenizer), cache, progress)
    return MiningRun.of(task, ranker, cross_encoder, progress).source(out)


class Bm25Ranker:
    """Ranks a task's passages by BM25."""

    def __init__(self, task: MiningTask, parameters: Bm25Parameters, cache: Path | None, progress: Progress | None) -> None:
        if progress is not None:
            progress("indexing passages", 0, len(task.passages))
        self._task = task
        self._parameters = parameters
        self._index: Bm25Index = open_index(task.collection.passages["text"], parameters, len(task.queries), cache)
        self._terms = self._index.query_terms([query.query for query in task.queries])
        if progress is not None:
            progress("indexing passages", len(task.passages), len(task.passages))

    @property
    def origin(self) -> dict[str, Any]:
        """BM25 with its parameters."""
        return {"method": "bm25", "parameters": asdict(self._parameters), "versions": package_versions("bm25s", "numpy")}

    @property
    def details(self) -> dict[str, Any]:
        """How many queries have no term that a passage has."""
        return {"queries_without_known_token": sum(not known for known in self._terms)}

    def rankings(self, numbers: range, depths: Sequence[int]) -> Iterator[Ranking]:
        """Yield the rankings of these queries, passages without a shared term left out."""
        for start in range(0, len(numbers), QUERIES_AT_ONCE):
            stop = start + QUERIES_AT_ONCE
            # One more than is needed: where the last of them scores lower than what is kept, no tie crosses the cut.
            yield from self._block([self._terms[number] for number in numbers[start:stop]], [depth + 1 for depth in depths[start:stop]])

    def scores(self, number: int, positions: Positions) -> npt.NDArray[np.float32]:
        """Return the BM25 scores of these passages, 0 where no term is shared."""
        terms = self._terms[number]
        return self._index.scores(terms)[positions] if terms else np.zeros(len(positions), np.float32)

    def closeness(self, positions: Positions, others: Positions) -> None:  # noqa: ARG002  a miner without embeddings
        """Return None: there are no embeddings."""
        return

    def _block(self, terms: list[list[int]], depths: list[int]) -> Iterator[Ranking]:
        asked = [place for place, known in enumerate(terms) if known]
        deepest = min(len(self._task.passages), max(depths))
        found = zip(*self._index.top([terms[place] for place in asked], deepest), strict=True) if asked else iter(())
        for known, depth in zip(terms, depths, strict=True):
            positions, scores = next(found) if known else (np.empty(0, np.int64), np.empty(0, np.float32))
            yield self._exact(known, positions, scores, depth - 1)

    def _exact(self, terms: list[int], positions: Positions, scores: npt.NDArray[np.float32], depth: int) -> Ranking:
        """Return the ranking without zero scores, with all passages of the last score where the cut at `depth` runs through a tie."""
        last = scores.min(initial=np.inf)
        if len(positions) < len(self._task.passages) and last > 0:
            sure = scores > last
            if sure.sum() < depth:
                everything = self._index.scores(terms)
                positions = np.flatnonzero(everything >= last).astype(np.int64)
                scores = everything[positions]
            else:
                positions, scores = positions[sure], scores[sure]
        shared = scores > 0
        return ranked(positions[shared], scores[shared], self._task.passages.id_order)
