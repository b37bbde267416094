"""The passages that mining ranks: their ids in code-point order, and which of them hold the same folded text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import Collection
from negaudit.text.folding import folded

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Passages:
    """A collection's passages by position. `id_order` is each passage's place among the ids in code-point order;
    `fold` numbers the distinct folded texts, and `members[starts[f]:starts[f + 1]]` are the passages of folded text f.
    """

    ids: list[str]
    texts: list[str]
    id_order: Positions
    fold: Positions
    members: Positions
    starts: Positions
    position: dict[str, int]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, collection: Collection) -> Passages:
        """Return the passages of `collection`, in its order."""
        ids, texts = collection.passages["id"].to_pylist(), collection.passages["text"].to_pylist()
        id_order = np.empty(len(ids), np.int64)
        id_order[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        numbers: dict[str, int] = {}
        fold = np.fromiter((numbers.setdefault(folded(text), len(numbers)) for text in texts), np.int64, len(texts))
        starts = np.concatenate([[0], np.cumsum(np.bincount(fold, minlength=len(numbers)))]).astype(np.int64)
        members = np.argsort(fold, kind="stable").astype(np.int64)
        return cls(ids, texts, id_order, fold, members, starts, {passage: i for i, passage in enumerate(ids)})

    def same_as(self, ids: Iterable[str]) -> Positions:
        """Return the positions of the passages with these ids, and of all whose folded text is one of theirs."""
        folds = sorted({int(self.fold[self.position[passage]]) for passage in ids})
        parts = [self.members[self.starts[f] : self.starts[f + 1]] for f in folds]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)
