"""Nominating passages by FAISS: an inverted-file index that looks at some of the passages only, with its recall measured."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.encoding.embeddings import Embeddings
from negaudit.errors import MissingExtraError
from negaudit.mining.dense_search import DenseSearch, Vectors, candidates
from negaudit.mining.passages import Positions

# One list in eight is looked at, of about 4·√n lists; at most this many passages per list train them.
LISTS_PER_ROOT, LISTS_PER_PROBE, TRAINED_PER_LIST = 4, 8, 64
RECALL_QUERIES = 200


class FaissNominator:
    """Nominates by an IVF-Flat index over the usable vectors: inner products are exact, but only the lists nearest to a query are read.

    Raises MissingExtraError where faiss is not installed.
    """

    def __init__(self, passages: Embeddings, block_size: int) -> None:
        if importlib.util.find_spec("faiss") is None:
            raise MissingExtraError("searching with FAISS", "faiss")
        self._candidates = candidates(passages)
        count = len(self._candidates)
        self.lists = max(1, min(round(LISTS_PER_ROOT * count**0.5), count // 39))
        self.probes = max(1, -(-self.lists // LISTS_PER_PROBE))
        self._index = self._built(passages, block_size)

    def nominate(self, queries: Vectors, width: int) -> tuple[Positions, npt.NDArray[np.float32]]:
        """Return positions (-1 where the lists held no more) and float32 scores, each of shape (queries, width)."""
        scores, places = self._index.search(queries, width)
        found = np.where(places >= 0, self._candidates[np.maximum(places, 0)], -1)
        return found.astype(np.int64), scores

    def _built(self, passages: Embeddings, block_size: int) -> Any:
        import faiss

        quantizer = faiss.IndexFlatIP(passages.dimension)
        index = faiss.IndexIVFFlat(quantizer, passages.dimension, self.lists, faiss.METRIC_INNER_PRODUCT)
        index.nprobe = self.probes
        with _one_thread():  # so that a run that is started again has the same lists
            trained = self._candidates[:: max(1, len(self._candidates) // (TRAINED_PER_LIST * self.lists))]
            index.train(passages.gather(trained))
            for start in range(0, len(self._candidates), block_size):
                index.add(passages.gather(self._candidates[start : start + block_size]))
        return index


def recall_sample(query_ids: list[str]) -> npt.NDArray[np.int64]:
    """Return the numbers of the queries that recall is measured on: those of the smallest digests, whatever their order in the file."""
    digests = [blake2b(query_id.encode("utf-8", "surrogatepass"), digest_size=8).digest() for query_id in query_ids]
    return np.array(sorted(range(len(digests)), key=lambda number: digests[number])[:RECALL_QUERIES], np.int64)


def measured_recall(approximate: DenseSearch, exact: DenseSearch, queries: Vectors, depth: int) -> float:
    """Return the share of the exact `depth` best passages (at most all there are) that the approximate search finds, over these queries."""
    depths = np.full(len(queries), depth, np.int64)
    shares = []
    for (found, _), (truth, scores) in zip(approximate.top(queries, depths), exact.top(queries, depths), strict=True):
        # What ties with the last one is as good as it.
        least = np.sort(scores)[-min(depth, len(scores))]
        hits = np.isin(found, truth[scores >= least]).sum()
        shares.append(min(1.0, hits / min(depth, len(truth))))
    return float(np.mean(shares))


@contextmanager
def _one_thread() -> Iterator[None]:
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
