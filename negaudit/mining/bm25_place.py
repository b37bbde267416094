"""Where a BM25 index lies while it is built: in memory, or in the files of a folder, for one that need not fit in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class TermCounts:
    """The terms of a portion of passages. Passage i has `lengths[i]` tokens, `held[i]` of them distinct (both int64); `terms` and
    `frequencies` (int32) say which and how often, passage after passage.
    """

    terms: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.int32]
    held: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]


class IndexPlace(Protocol):
    """Keeps the counts of portions until they are taken, and the arrays of the index."""

    def put(self, counts: TermCounts) -> None:
        """Keep the counts of the next portion."""

    def take(self) -> Iterator[TermCounts]:
        """Yield what was put, in order, once; what was yielded is kept no longer."""

    def array(self, name: str, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the array that bm25s calls `name`, to be filled."""


class InMemory:
    """An index that is gone with the process."""

    def __init__(self) -> None:
        self._parts: list[TermCounts] = []

    def put(self, counts: TermCounts) -> None:
        """Keep the counts of the next portion."""
        self._parts.append(counts)

    def take(self) -> Iterator[TermCounts]:
        """Yield what was put, in order, once."""
        self._parts.reverse()
        while self._parts:
            yield self._parts.pop()

    def array(self, name: str, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:  # noqa: ARG002  the name is the file's, on disk
        """Return an array of this size, to be filled."""
        return np.empty(size, dtype)


class OnDisk:
    """An index in `folder`, in the files that bm25s reads; the counts are in a file there that has no name and leaves nothing behind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._counts = TemporaryFile(dir=folder)  # noqa: SIM115  closed when the counts were taken, or with this object
        self._portions = 0

    def put(self, counts: TermCounts) -> None:
        """Keep the counts of the next portion."""
        for array in (counts.terms, counts.frequencies, counts.held, counts.lengths):
            np.save(self._counts, array, allow_pickle=False)
        self._portions += 1

    def take(self) -> Iterator[TermCounts]:
        """Yield what was put, in order, once."""
        with self._counts:
            self._counts.seek(0)
            for _ in range(self._portions):
                yield TermCounts(*(np.load(self._counts, allow_pickle=False) for _ in range(4)))

    def array(self, name: str, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the array over its file, to be filled."""
        path = self._folder / f"{name}.csc.index.npy"
        array = np.lib.format.open_memmap(path, "w+", np.dtype(dtype), (size,))
        _take_room(path)
        return array


def _take_room(path: Path) -> None:
    """Take the room of a file on disk now, where a full disk is an error: met while a map is filled, it would end the process."""
    if hasattr(os, "posix_fallocate"):
        with open(path, "rb+") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
