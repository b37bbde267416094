"""Exact dense search: float32 blocks find who can be in the top, float64 says in which order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from negaudit.encoding.embeddings import Embeddings
from negaudit.mining.passages import Positions

Found = tuple[Positions, npt.NDArray[np.float32]]
SPARE = 16


class DenseSearch:
    """The usable vectors of `passages`, searched `block_size` at a time.

    A float32 product differs in its last bits with the block's shape and the threads, so it only nominates: whatever comes within its error
    of the top is kept, and the order is taken from float64 products, one pair at a time. Block size and threads thus change no result.
    """

    def __init__(self, passages: Embeddings, block_size: int) -> None:
        self._passages = passages
        self._candidates = np.flatnonzero(passages.usable).astype(np.int64)
        self._block_size = block_size
        # What a float32 product of two unit vectors can be off by, in whatever order it is summed, and the rounding of a written score.
        self._error = passages.dimension * 2.0**-24 + 1e-7

    def top(self, queries: npt.NDArray[np.float32], depths: npt.NDArray[np.int64]) -> Iterator[Found]:
        """Yield for each query (a row of `queries`) the positions and float32 scores of its `depth` best passages, in no order.

        With them come all passages that tie with the last of them, and where there are fewer passages, all there are.
        """
        if not len(queries):
            return
        width = int(depths.max()) + SPARE
        positions, scores = self._nominate(queries, width)
        for i, depth in enumerate(depths.tolist()):
            yield self._exact(queries[i], positions[i], scores[i], depth)

    def _nominate(self, queries: npt.NDArray[np.float32], width: int) -> tuple[Positions, npt.NDArray[np.float32]]:
        """Return the `width` best by float32, or all there are, each of shape (queries, width)."""
        best = np.empty((len(queries), 0), np.int64)
        scores = np.empty((len(queries), 0), np.float32)
        for start in range(0, len(self._candidates), self._block_size):
            block = self._candidates[start : start + self._block_size]
            new = queries @ self._passages.gather(block).T
            best = np.hstack([best, np.broadcast_to(block, new.shape)])
            scores = np.hstack([scores, new])
            if scores.shape[1] > width:
                kept = np.argpartition(scores, scores.shape[1] - width, axis=1)[:, -width:]
                best, scores = np.take_along_axis(best, kept, axis=1), np.take_along_axis(scores, kept, axis=1)
        return best, scores

    def _exact(self, query: npt.NDArray[np.float32], positions: Positions, scores: npt.NDArray[np.float32], depth: int) -> Found:
        if len(positions) > depth:
            # The true top scores at least this by float32.
            least = np.partition(scores, len(scores) - depth)[-depth] - 2 * self._error
            nominees_may_lack = len(positions) < len(self._candidates) and scores.min() >= least
            positions = self._all_above(query, least) if nominees_may_lack else positions[scores >= least]
        exact = self._rescored(query, positions)
        if len(positions) > depth:
            top = exact >= np.partition(exact, len(exact) - depth)[-depth]
            positions, exact = positions[top], exact[top]
        return positions, exact

    def _all_above(self, query: npt.NDArray[np.float32], least: float) -> Positions:
        """Return every passage that scores at least `least` by float32: many copies of a text can tie across the cut."""
        parts = []
        for start in range(0, len(self._candidates), self._block_size):
            block = self._candidates[start : start + self._block_size]
            parts.append(block[self._passages.gather(block) @ query >= least])
        return np.concatenate(parts)

    def _rescored(self, query: npt.NDArray[np.float32], positions: Positions) -> npt.NDArray[np.float32]:
        products = self._passages.gather(positions).astype(np.float64) * query.astype(np.float64)
        return np.asarray(products.sum(axis=1), np.float32)
