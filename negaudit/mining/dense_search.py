"""Exact dense search: float32 blocks find who can be in the top, float64 says in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from negaudit.encoding.embeddings import Embeddings
from negaudit.mining.passages import Positions

Found = tuple[Positions, npt.NDArray[np.float32]]
Vectors = npt.NDArray[np.float32]
SPARE = 16


class Nominator(Protocol):
    """Finds the best passages by inner products that may be off in their last bits."""

    def nominate(self, queries: Vectors, width: int) -> tuple[Positions, npt.NDArray[np.float32]]:
        """Return positions and float32 scores of the `width` best passages, or of all, each of shape (queries, width), in no order."""
        ...


class DenseSearch:
    """The usable vectors of `passages`, searched `block_size` at a time, by `nominator` where one is given.

    A float32 product differs in its last bits with the block's shape, the threads and the device, so it only nominates: whatever comes
    within its error of the top is kept, and the order is taken from float64 products, one pair at a time. None of these changes a result.
    A nominator that is not `exact` is taken at its word.
    """

    def __init__(self, passages: Embeddings, block_size: int, nominator: Nominator | None = None, *, exact: bool = True) -> None:
        self._passages = passages
        self._candidates = candidates(passages)
        self._block_size = block_size
        self._nominator = nominator or BlockNominator(passages, block_size)
        self._exactly = exact
        self._longest = _longest(passages, self._candidates, block_size)

    def top(self, queries: Vectors, depths: npt.NDArray[np.int64]) -> Iterator[Found]:
        """Yield for each query (a row of `queries`) the positions and float32 scores of its `depth` best passages, in no order.

        With them come all passages that tie with the last of them, and where there are fewer passages, all there are.
        """
        if not len(queries):
            return
        width = min(len(self._candidates), int(depths.max()) + SPARE)
        positions, scores = self._nominator.nominate(queries, width)
        for i, depth in enumerate(depths.tolist()):
            found = positions[i] >= 0
            yield self._exact(queries[i], positions[i][found], scores[i][found], depth)

    def products(self, query: Vectors, positions: Positions) -> npt.NDArray[np.float32]:
        """Return the inner products of one query with these passages, taken in float64."""
        products = self._passages.gather(positions).astype(np.float64) * query.astype(np.float64)
        return np.asarray(products.sum(axis=1), np.float32)

    def _exact(self, query: Vectors, positions: Positions, scores: npt.NDArray[np.float32], depth: int) -> Found:
        if len(positions) > depth:
            # The true top scores at least this by float32.
            least = np.partition(scores, len(scores) - depth)[-depth] - 2 * self._error(query)
            may_lack = self._exactly and len(positions) < len(self._candidates) and scores.min() >= least
            positions = self._all_above(query, least) if may_lack else positions[scores >= least]
        exact = self.products(query, positions)
        if len(positions) > depth:
            top = exact >= np.partition(exact, len(exact) - depth)[-depth]
            positions, exact = positions[top], exact[top]
        return positions, exact

    def _error(self, query: Vectors) -> float:
        """Return what a float32 product can be off by, in whatever order it is summed, and the rounding of a written score."""
        size = float(np.linalg.norm(query.astype(np.float64))) * self._longest
        return size * (self._passages.dimension * 2.0**-24 + 1e-7)

    def _all_above(self, query: Vectors, least: float) -> Positions:
        """Return every passage that scores at least `least` by float32: many copies of a text can tie across the cut."""
        parts = []
        for start in range(0, len(self._candidates), self._block_size):
            block = self._candidates[start : start + self._block_size]
            parts.append(block[self._passages.gather(block) @ query >= least])
        return np.concatenate(parts)


class BlockNominator:
    """Nominates by one matrix product per block of passages; of each block only what beats the best so far is looked at again."""

    def __init__(self, passages: Embeddings, block_size: int) -> None:
        self._passages = passages
        self._candidates = candidates(passages)
        self._block_size = block_size

    def nominate(self, queries: Vectors, width: int) -> tuple[Positions, npt.NDArray[np.float32]]:
        """Return positions and float32 scores of the `width` best passages, each of shape (queries, width), in no order."""
        best = np.empty((len(queries), 0), np.int64)
        scores = np.empty((len(queries), 0), np.float32)
        for start in range(0, len(self._candidates), self._block_size):
            block = self._candidates[start : start + self._block_size]
            new = queries @ self._passages.gather(block).T
            places = np.broadcast_to(np.arange(len(block)), new.shape)
            if scores.shape[1] == width:
                new, places = _better(new, scores.min(axis=1))
            best, scores = np.hstack([best, block[places]]), np.hstack([scores, new])
            if scores.shape[1] > width:
                kept = np.argpartition(scores, scores.shape[1] - width, axis=1)[:, -width:]
                best, scores = np.take_along_axis(best, kept, axis=1), np.take_along_axis(scores, kept, axis=1)
        return best, scores


def candidates(passages: Embeddings) -> Positions:
    """Return the positions of the passages that have a usable vector."""
    return np.flatnonzero(passages.usable).astype(np.int64)


def _better(scores: npt.NDArray[np.float32], least: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], Positions]:
    """Return the scores above each row's `least` and their columns, rows filled up with -inf (of column 0)."""
    rows, columns = np.nonzero(scores > least[:, None])
    counts = np.bincount(rows, minlength=len(scores))
    slots = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    better = np.full((len(scores), int(counts.max(initial=0))), -np.inf, np.float32)
    places = np.zeros(better.shape, np.int64)
    better[rows, slots] = scores[rows, columns]
    places[rows, slots] = columns
    return better, places


def _longest(passages: Embeddings, positions: Positions, block_size: int) -> float:
    """Return the length of the longest vector."""
    longest = 0.0
    for start in range(0, len(positions), block_size):
        block = passages.gather(positions[start : start + block_size])
        longest = max(longest, float(np.einsum("ij,ij->i", block, block).max(initial=0.0)))
    return float(np.sqrt(longest)) * 1.0001
