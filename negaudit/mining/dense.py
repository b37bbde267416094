"""Mining by a dense encoder: search over the collection's embeddings, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource
from negaudit.encoding.encoder import FrozenEncoder, normalised
from negaudit.errors import NegauditError, unknown_name
from negaudit.mining.cross_encoder import CrossEncoder
from negaudit.mining.dense_search import DenseSearch
from negaudit.mining.device_search import DeviceNominator
from negaudit.mining.faiss_search import FaissNominator, measured_recall, recall_sample
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.mined_source import MiningRun, package_versions
from negaudit.mining.mining_task import MiningTask, Progress
from negaudit.mining.passages import Positions
from negaudit.mining.ranking import Ranking, ranked

BLOCK_SIZE = 16_384
QUERIES_AT_ONCE = 1024
Search = Literal["exact", "faiss"]
SEARCHES = ("exact", "faiss")


def mine_dense(
    collection: Collection,
    *,
    encoder: FrozenEncoder,
    k: int = 10,
    search: Search = "exact",
    block_size: int = BLOCK_SIZE,
    min_relevance: int = 1,
    name: str = "dense",
    filters: CandidateFilters | None = None,
    cross_encoder: CrossEncoder | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
) -> NegativeSource:
    """Return each labelled query's `k` nearest passages by the encoder that are no labelled positive, by id or text, and pass `filters`.

    Scores are inner products (cosines, at unit norm) taken in float64; equal scores are ordered by id; ranks count from 1, before
    exclusion.
    `block_size` is how many passages are searched at once: it bounds the memory (at most 1024 x block_size scores) and changes no result.
    With `search` "faiss" an approximate index nominates the passages, and its recall against exact search is measured on a sample and kept
    in the details. Passages without a usable embedding are no candidates, and a query without one keeps no negatives: both are counted.
    With `out` the source is written there as it is mined, so that a killed run goes on where it stopped.
    Raises NegauditError where k or the block size is out of range, or there is nothing to mine.
    """
    if block_size < 1:
        raise NegauditError(f"block size is {block_size}: expected at least 1 passage")
    if search not in SEARCHES:
        raise unknown_name("search", search, SEARCHES)
    task = MiningTask.of(collection, k, min_relevance, filters, name)
    ranker = DenseRanker(task, encoder, search, block_size, cross_encoder is not None, progress)
    return MiningRun.of(task, ranker, cross_encoder, progress).source(out)


class DenseRanker:
    """Ranks a task's passages by an encoder; `rescored` says whether a cross-encoder follows, which reads deeper."""

    def __init__(
        self, task: MiningTask, encoder: FrozenEncoder, search: Search, block_size: int, rescored: bool, progress: Progress | None
    ) -> None:
        self._task = task
        self._contract = encoder.contract
        self._passages = encoder.embed(task.passages.texts, "passage", progress=_stage(progress, "encoding passages"))
        self._queries = encoder.embed([query.query for query in task.queries], "query", progress=_stage(progress, "encoding queries"))
        device = encoder.device
        blocks = None if device == "cpu" else DeviceNominator(self._passages, block_size, device)
        self._search = DenseSearch(self._passages, block_size, blocks)
        self._approximation: dict[str, Any] = {}
        if search == "faiss":
            self._approximate(block_size, task.filters.limit(task.k, rescored) or task.k)

    @property
    def origin(self) -> dict[str, Any]:
        """The search and the encoder's contract."""
        search = self._approximation.get("faiss", {})
        return {
            "method": "dense",
            "parameters": {"search": "faiss" if search else "exact", "similarity": self._contract.similarity},
            "contract": self._contract.as_dict(),
            "versions": package_versions("sentence-transformers", "torch", "transformers", "numpy", *(["faiss-cpu"] if search else [])),
        }

    @property
    def details(self) -> dict[str, Any]:
        """How many texts have no usable embedding, and what FAISS misses."""
        return {
            "queries_without_usable_embedding": int((~self._queries.usable).sum()),
            "passages_without_usable_embedding": int((~self._passages.usable).sum()),
            **self._approximation,
        }

    def rankings(self, numbers: range, depths: Sequence[int]) -> Iterator[Ranking]:
        """Yield the rankings of these queries, empty for one without a usable embedding."""
        for start in range(0, len(numbers), QUERIES_AT_ONCE):
            block = numbers[start : start + QUERIES_AT_ONCE]
            usable = np.array([number for number in block if self._queries.usable[number]], np.int64)
            wanted = np.array([depths[number - numbers.start] for number in usable], np.int64)
            found = self._search.top(self._queries.gather(usable), wanted)
            for number in block:
                nothing = (np.empty(0, np.int64), np.empty(0, np.float32))
                positions, scores = next(found) if self._queries.usable[number] else nothing
                yield ranked(positions, scores, self._task.passages.id_order)

    def scores(self, number: int, positions: Positions) -> npt.NDArray[np.float32]:
        """Return the inner products of these passages with a query, NaN where an embedding is unusable."""
        if not self._queries.usable[number]:
            return np.full(len(positions), np.nan, np.float32)
        found = self._search.products(self._queries.gather(np.array([number]))[0], positions)
        return np.where(self._passages.usable[positions], found, np.float32(np.nan))

    def closeness(self, positions: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return the cosines between these passages, of shape (positions, others), 0 where one is unusable."""
        sides = []
        for side in (positions, others):
            vectors, _ = normalised(self._passages.gather(side))
            sides.append(np.where(self._passages.usable[side, None], vectors, 0).astype(np.float64))
        return np.asarray(sides[0] @ sides[1].T, np.float64)

    def _approximate(self, block_size: int, depth: int) -> None:
        """Search by FAISS from now on, after measuring its recall against the exact search."""
        nominator = FaissNominator(self._passages, block_size)
        approximate = DenseSearch(self._passages, block_size, nominator, exact=False)
        sample = recall_sample([query.query_id for query in self._task.queries])
        sample = sample[self._queries.usable[sample]]
        depth = min(depth, int(self._passages.usable.sum()))
        recall = measured_recall(approximate, self._search, self._queries.gather(sample), depth) if len(sample) and depth else None
        self._search = approximate
        measured = {"recall": recall, "depth": depth, "queries": len(sample)}
        self._approximation = {"faiss": {"index": "IVF-Flat", "lists": nominator.lists, "probes": nominator.probes, **measured}}


def _stage(progress: Progress | None, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, stage)
