"""The distinct texts of a run, numbered as they come, so that each is tokenized and encoded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.text.byte_texts import ByteTexts


class DistinctTexts:
    """Numbers for distinct texts. Only 128-bit fingerprints are kept, never the texts, so a text costs 16 bytes and its slot."""

    def __init__(self) -> None:
        self._known = 0
        self._slots = np.full(1 << 10, -1, np.int32)
        self._keys = np.empty((0, 2), np.uint64)

    def __len__(self) -> int:
        return self._known

    def keys(self) -> npt.NDArray[np.uint64]:
        """Return the fingerprint of each text by number, (n, 2)."""
        return self._keys[: self._known]

    def number(self, texts: Sequence[str] | pa.Array | pa.ChunkedArray) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Return each text's number, and the positions in `texts` of those seen for the first time, in the order of their numbers."""
        from negaudit.text.fingerprint_kernel import fingerprints, number_keys

        views = ByteTexts.of(texts)
        new = fingerprints(views.buffer, views.starts, views.ends)
        self._make_room(len(new))
        numbers, first, before = np.empty(len(new), np.int32), np.empty(len(new), np.int64), self._known
        self._known = number_keys(new, self._slots, self._keys, self._known, numbers, first)
        return numbers, first[: self._known - before]

    def _make_room(self, count: int) -> None:
        from negaudit.text.fingerprint_kernel import fill_key_slots

        most = self._known + count
        if len(self._keys) < most:
            # In place, and by a quarter: twice the room, or two copies for a moment, would be felt with many millions of texts.
            self._keys.resize((most + most // 4, 2), refcheck=False)
        if len(self._slots) < 2 * most:
            self._slots = np.full(1 << int(2 * most).bit_length(), -1, np.int32)
            fill_key_slots(self._slots, self._keys, self._known)
