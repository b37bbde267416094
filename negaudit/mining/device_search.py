"""Nominating passages on an accelerator: the same blocks, multiplied and ranked by torch on the device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from negaudit.encoding.embeddings import Embeddings
from negaudit.mining.dense_search import Vectors, candidates
from negaudit.mining.passages import Positions


class DeviceNominator:
    """Nominates on `device`; at most one block of passages and its scores are there at a time."""

    def __init__(self, passages: Embeddings, block_size: int, device: str) -> None:
        self._passages = passages
        self._candidates = candidates(passages)
        self._block_size = block_size
        self._device = device

    def nominate(self, queries: Vectors, width: int) -> tuple[Positions, npt.NDArray[np.float32]]:
        """Return positions and float32 scores of the `width` best passages, each of shape (queries, width), in no order."""
        import torch

        asked = torch.from_numpy(queries).to(self._device)
        best = torch.empty((len(queries), 0), dtype=torch.int64, device=self._device)
        scores = torch.empty((len(queries), 0), dtype=torch.float32, device=self._device)
        with _full_float32(), torch.inference_mode():
            for start in range(0, len(self._candidates), self._block_size):
                block = self._candidates[start : start + self._block_size]
                new = asked @ torch.from_numpy(self._passages.gather(block)).to(self._device).T
                top = new.topk(min(width, new.shape[1]), dim=1, sorted=False)
                scores = torch.hstack([scores, top.values])
                best = torch.hstack([best, top.indices + start])
                if scores.shape[1] > width:
                    kept = scores.topk(width, dim=1, sorted=False)
                    scores, best = kept.values, best.gather(1, kept.indices)
        return self._candidates[best.cpu().numpy()], scores.cpu().numpy()


@contextmanager
def _full_float32() -> Iterator[None]:
    """Keep TF32 out: it is off by a thousand times what the search allows for."""
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
