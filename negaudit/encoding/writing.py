"""A batch that was encoded but not written yet, and texts that are fetched only when their turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, overload

import numpy as np
import numpy.typing as npt

from negaudit.encoding.cache import CacheWriter, Keys


class BatchWriter(Protocol):
    """What takes in an encoded batch: the cache, or a FinishedBatch on its way there."""

    def append(self, keys: Keys, tokens: npt.NDArray[np.integer], usable: npt.NDArray[np.bool_], vectors: npt.NDArray[np.float32]) -> None:
        """Take in one batch: keys, lengths in tokens, usable or not, and vectors, all of n rows."""


class FinishedBatch:
    """Keeps what one thread encoded until its turn to be written."""

    def __init__(self) -> None:
        self._parts: list[tuple[Keys, npt.NDArray[np.integer], npt.NDArray[np.bool_], npt.NDArray[np.float32]]] = []

    def append(self, keys: Keys, tokens: npt.NDArray[np.integer], usable: npt.NDArray[np.bool_], vectors: npt.NDArray[np.float32]) -> None:
        """Keep one batch."""
        self._parts.append((keys, tokens, usable, vectors))

    def write(self, writer: CacheWriter) -> int:
        """Write what was kept and return its number of texts."""
        for part in self._parts:
            writer.append(*part)
        return sum(len(part[0]) for part in self._parts)


class TextsAt(Sequence[str]):
    """The texts at `places` of a sequence, fetched one at a time: no list of them is made."""

    def __init__(self, texts: Sequence[str], places: npt.NDArray[np.integer]) -> None:
        self._texts, self._places = texts, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        """Return one text, or a view of some."""
        return TextsAt(self._texts, self._places[index]) if isinstance(index, slice) else self._texts[self._places[index]]
