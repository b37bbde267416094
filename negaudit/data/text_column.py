"""A column of texts as a sequence of strings, each of which is made only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

PORTION_BYTES = 1 << 20


class TextColumn(Sequence[str]):
    """The texts of an Arrow column without nulls. A corpus that is Python strings as well is there twice, the second time larger."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        self.column = column

    def __len__(self) -> int:
        return len(self.column)

    def __iter__(self) -> Iterator[str]:
        for portion in self.portions():
            yield from portion.to_pylist()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...
    def __getitem__(self, index: int | slice) -> str | TextColumn:
        """Return one text, or a view of some."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return TextColumn(self.column.take(pa.array(range(start, stop, step), pa.int64())))
            return TextColumn(self.column.slice(start, max(0, stop - start)))
        text: str = self.column[int(index)].as_py()
        return text

    def portions(self, size: int = PORTION_BYTES) -> Iterator[pa.Array]:
        """Yield the texts in order in views of about `size` bytes, no text divided."""
        for chunk in self.column.chunks:
            ends = np.cumsum(pc.binary_length(chunk).to_numpy(zero_copy_only=False), dtype=np.int64)
            start = 0
            while start < len(chunk):
                done = ends[start - 1] if start else 0
                stop = max(start + 1, int(np.searchsorted(ends, done + size, side="right")))
                yield chunk.slice(start, stop - start)
                start = stop
