"""Texts as UTF-8 bytes in one buffer, which compiled code can read without a Python object per text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

BATCH_BYTES = 8 << 20


@dataclass(frozen=True)
class ByteTexts:
    """n texts: text i is `buffer[starts[i]:ends[i]]` (uint8); starts and ends are int64."""

    buffer: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of(cls, texts: Sequence[str] | pa.Array | pa.ChunkedArray) -> ByteTexts:
        """Return the bytes of `texts`; a null counts as the empty text. Arrow data is viewed, not copied."""
        if isinstance(texts, pa.ChunkedArray):
            texts = texts.combine_chunks()
        if not isinstance(texts, pa.Array):
            texts = pa.array(texts, pa.large_string())
        if isinstance(texts, pa.ChunkedArray):
            texts = pa.concat_arrays(texts.chunks)
        wide = pa.types.is_large_string(texts.type)
        if not wide and not pa.types.is_string(texts.type):
            texts, wide = texts.cast(pa.large_string()), True
        _, offset_buffer, data = texts.buffers()
        if not len(texts):
            return cls(np.empty(0, np.uint8), np.empty(0, np.int64), np.empty(0, np.int64))
        offsets = np.frombuffer(offset_buffer, np.int64 if wide else np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(
            np.int64
        )
        buffer = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
        ends = offsets[1:].copy()
        if texts.null_count:
            nulls = texts.is_null().to_numpy(zero_copy_only=False)
            ends[nulls] = offsets[:-1][nulls]
        return cls(buffer, offsets[:-1], ends)

    def batches(self, size: int = BATCH_BYTES) -> Iterator[ByteTexts]:
        """Yield the texts in order in groups of about `size` bytes, so that what is built on the way stays small."""
        lengths = np.cumsum(self.ends - self.starts)
        start = 0
        while start < len(self):
            done = lengths[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(lengths, done + size)))
            yield ByteTexts(self.buffer, self.starts[start:stop], self.ends[start:stop])
            start = stop

    def text(self, index: int) -> str:
        """Return text `index` as a string."""
        return self.buffer[self.starts[index] : self.ends[index]].tobytes().decode("utf-8")
