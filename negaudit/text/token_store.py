"""The token sets of all distinct texts of a run in one array that grows without being copied."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from negaudit.text.vocabulary import TokenLists


class TokenStore:
    """Token lists by text number, appended to. It grows in place, so a run never holds its tokens twice."""

    def __init__(self) -> None:
        self._ids = np.empty(1 << 16, np.int32)
        self._ends = np.empty(1 << 12, np.int64)
        self._written = self._texts = 0

    def __len__(self) -> int:
        return self._texts

    def append(self, lists: TokenLists) -> None:
        """Add the lists of the next texts."""
        ids, texts = self._written + len(lists.ids), self._texts + len(lists)
        _make_room(self._ids, ids)
        _make_room(self._ends, texts)
        self._ids[self._written : ids] = lists.ids
        self._ends[self._texts : texts] = lists.offsets[1:] + self._written
        self._written, self._texts = ids, texts

    def lists(self) -> TokenLists:
        """Return all lists, as a view: nothing may be appended while it is used."""
        return TokenLists(self._ids[: self._written], np.concatenate([[0], self._ends[: self._texts]]).astype(np.int64))


def _make_room(array: npt.NDArray[np.signedinteger], size: int) -> None:
    """Let `array` hold `size` items, moving it by the operating system's own means; pages not written to take no memory."""
    if len(array) < size:
        array.resize(max(size, 2 * len(array)), refcheck=False)
