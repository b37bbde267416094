"""Pairs regrouped into blocks of one fixed size, so that float sums and files do not depend on the chunks that came."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from negaudit.scoring.gates import FLOATS

BLOCK = 2048


class PairBlocks:
    """Hands rows on in blocks of exactly BLOCK, counted from the first one; what is left over goes with `flush`."""

    def __init__(self, add: Callable[[FLOATS, FLOATS], None]) -> None:
        self._add = add
        self._parts: list[tuple[FLOATS, FLOATS]] = []
        self._count = 0

    def update(self, weights: FLOATS, residuals: FLOATS) -> None:
        """Take in n rows of both arrays."""
        while len(weights):
            room = BLOCK - self._count
            self._parts.append((weights[:room], residuals[:room]))
            self._count += len(weights[:room])
            weights, residuals = weights[room:], residuals[room:]
            if self._count == BLOCK:
                self.flush()

    def flush(self) -> None:
        """Hand on what is there, a block or less."""
        if self._count:
            weights, residuals = (np.concatenate(arrays) for arrays in zip(*self._parts, strict=True))
            self._parts, self._count = [], 0
            self._add(weights, residuals)
