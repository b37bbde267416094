"""Texts that wait for the encoder: in memory while they are few, in memory-mapped files once they are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
import pyarrow as pa

from negaudit.data.spooled_table import mapped

IN_MEMORY = 256 << 20  # bytes
_SCHEMA = pa.schema([("text", pa.large_string())])


class TextSpool(Sequence[str]):
    """Texts in the order they are added, made Python strings one at a time; the files go away with the object."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._waiting: list[pa.Array] = []
        self._waiting_bytes = 0
        self._stored: list[pa.Array] = []
        self._ends = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def append(self, texts: pa.Array) -> None:
        """Add texts (Arrow strings, none of them null); raises NegauditError where no folder can take the file."""
        if not len(texts):
            return
        self._waiting.append(texts.cast(pa.large_string()))
        self._waiting_bytes += texts.nbytes
        self._ends = np.append(self._ends, len(self) + len(texts))
        if self._waiting_bytes > self._in_memory:
            self._spill()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        """Return one text, or a list of some."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        chunk = int(np.searchsorted(self._ends, index, side="right"))
        array = self._stored[chunk] if chunk < len(self._stored) else self._waiting[chunk - len(self._stored)]
        return str(array[index - (int(self._ends[chunk - 1]) if chunk else 0)].as_py())

    def _spill(self) -> None:
        """Move what waits into a file; each array stays an array, so that positions stay what they were."""
        batches = (pa.RecordBatch.from_arrays([texts], schema=_SCHEMA) for texts in self._waiting)
        self._stored += mapped(batches, _SCHEMA, "texts that wait for the encoder")["text"].chunks
        self._waiting, self._waiting_bytes = [], 0
