"""A whole file as numbers of folded texts, on disk, so that records can be held against each other without their texts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np

from negaudit.validating.chunk import INT32, INT64, Chunk

_BLOCK = 1 << 15


@dataclass(frozen=True)
class Block:
    """Consecutive records, the first of them number `first`: the line and the query of each, and all their positives and negatives with
    the record (of the block) that each belongs to. Empty texts are -1.
    """

    first: int
    lines: INT64
    query: INT32
    positives: INT32
    positive_owner: INT64
    negatives: INT32
    negative_owner: INT64


class Numbers:
    """Takes chunks in, and gives them back as blocks, as often as asked. Use it in a `with` statement."""

    def __init__(self) -> None:
        self._heads, self._positives, self._negatives = (tempfile.TemporaryFile() for _ in range(3))  # noqa: SIM115 (closed in __exit__)
        self.records = 0
        self.distinct = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for file in (self._heads, self._positives, self._negatives):
            file.close()

    def add(self, chunk: Chunk, distinct: int) -> None:
        """Take in a chunk; `distinct` is how many folded texts are known by now."""
        size = len(chunk.records)
        counts = [np.bincount(side.owner, minlength=size) for side in (chunk.positives, chunk.negatives)]
        query = np.where(chunk.queries.empty, -1, chunk.queries.numbers)
        lines = np.fromiter((record.line for record in chunk.records), np.int64, size)
        self._heads.write(np.stack([lines, query, *counts], axis=1).astype(np.int64).tobytes())
        for file, side in ((self._positives, chunk.positives), (self._negatives, chunk.negatives)):
            file.write(np.where(side.empty, -1, side.numbers).astype(np.int32).tobytes())
        self.records += size
        self.distinct = distinct

    def blocks(self) -> Iterator[Block]:
        """Yield the whole file, in order."""
        for file in (self._heads, self._positives, self._negatives):
            file.seek(0)
        first = 0
        while data := self._heads.read(_BLOCK * 4 * 8):
            heads = np.frombuffer(data, np.int64).reshape(-1, 4)
            positives, negatives = (
                np.frombuffer(file.read(int(counts.sum()) * 4), np.int32)
                for file, counts in ((self._positives, heads[:, 2]), (self._negatives, heads[:, 3]))
            )
            owners = [np.repeat(np.arange(len(heads)), counts) for counts in (heads[:, 2], heads[:, 3])]
            yield Block(first, heads[:, 0], heads[:, 1].astype(np.int32), positives, owners[0], negatives, owners[1])
            first += len(heads)

    def counted(self, what: str) -> INT32:
        """Return for each folded text in how many records it occurs as "query", "positives" or "negatives"."""
        counts = np.zeros(self.distinct, np.int32)
        for block in self.blocks():
            found = getattr(block, what)
            if what != "query":
                owner = block.positive_owner if what == "positives" else block.negative_owner
                found = (np.unique((owner << 32) | (found.astype(np.int64) & 0xFFFFFFFF)) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
            np.add.at(counts, found[found >= 0], 1)
        return counts
