"""Where a BM25 index lies while it is built: in memory, or in the files of a folder, for one that need not fit in memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from negaudit.resources import written_to_cache

# Scores of 8 bytes that are placed in one pass over the counts on disk.
AT_ONCE = 1 << 25


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
    """Keeps the counts of portions, and the arrays of the index. `at_once` is how many scores are placed in one pass over the counts."""

    at_once: int

    def put(self, counts: TermCounts) -> None:
        """Keep the counts of the next portion."""

    def take(self) -> Iterator[TermCounts]:
        """Yield what was put, in order; again, where more than `at_once` scores are to be placed."""

    def array(self, name: str, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the array that bm25s calls `name`, to be filled."""


class InMemory:
    """An index that is gone with the process. Counts that were taken are kept no longer."""

    at_once = sys.maxsize

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
    """An index in `folder`, in the files that bm25s reads; the counts are in a file there that has no name and leaves nothing behind.

    A pass fills a stretch of the arrays that stays in memory until it is done: scores that were placed all over an index larger than the
    memory would have the whole of it read and written for every portion.
    Raises NegauditError where the folder cannot take them.
    """

    at_once = AT_ONCE

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._portions = 0
        with self._writing():
            self._counts = TemporaryFile(dir=folder)  # noqa: SIM115  closed by close

    def close(self) -> None:
        """Let go of the counts."""
        with self._writing():
            self._counts.close()

    def put(self, counts: TermCounts) -> None:
        """Keep the counts of the next portion."""
        with self._writing():
            for array in (counts.terms, counts.frequencies, counts.held, counts.lengths):
                np.save(self._counts, array, allow_pickle=False)
        self._portions += 1

    def take(self) -> Iterator[TermCounts]:
        """Yield what was put, in order."""
        with self._writing():
            self._counts.seek(0)
        for _ in range(self._portions):
            yield TermCounts(*(np.load(self._counts, allow_pickle=False) for _ in range(4)))

    def array(self, name: str, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the array over its file, to be filled."""
        path = self._folder / f"{name}.csc.index.npy"
        with self._writing():
            array = np.lib.format.open_memmap(path, "w+", np.dtype(dtype), (size,))
            _take_room(path)
        return array

    def _writing(self) -> AbstractContextManager[None]:
        return written_to_cache("a BM25 index", self._folder)


def _take_room(path: Path) -> None:
    """Take the room of a file on disk now, where a full disk is an error: met while a map is filled, it would end the process."""
    if hasattr(os, "posix_fallocate"):
        with open(path, "rb+") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
