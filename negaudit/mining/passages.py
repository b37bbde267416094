"""The passages that mining ranks: their ids in code-point order, and which of them hold the same folded text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.text.folding import folded

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Passages:
    """A collection's passages by position. `id_order` is each passage's place among the ids in code-point order;
    `fold` numbers the distinct folded texts (`numbers` has their digests), and `members[starts[f]:starts[f + 1]]` are the passages of
    folded text f.
    """

    ids: list[str]
    texts: list[str]
    id_order: Positions
    fold: Positions
    members: Positions
    starts: Positions
    position: dict[str, int]
    numbers: dict[bytes, int]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, collection: Collection) -> Passages:
        """Return the passages of `collection`, in its order."""
        ids, texts = collection.passages["id"].to_pylist(), collection.passages["text"].to_pylist()
        id_order = np.empty(len(ids), np.int64)
        id_order[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        numbers: dict[bytes, int] = {}  # by digest: the folded texts themselves would be a second copy of the corpus
        fold = np.fromiter((numbers.setdefault(_digest(folded(text)), len(numbers)) for text in texts), np.int64, len(texts))
        starts = np.concatenate([[0], np.cumsum(np.bincount(fold, minlength=len(numbers)))]).astype(np.int64)
        members = np.argsort(fold, kind="stable").astype(np.int64)
        return cls(ids, texts, id_order, fold, members, starts, {passage: i for i, passage in enumerate(ids)}, numbers)

    def fold_of(self, text: str) -> int:
        """Return the number of this folded text, -1 where no passage has it."""
        return self.numbers.get(_digest(text), -1)

    def same_as(self, ids: Iterable[str]) -> Positions:
        """Return the positions of the passages with these ids, and of all whose folded text is one of theirs."""
        return self._having({int(self.fold[self.position[passage]]) for passage in ids})

    def always_excluded(self, query: LabelledQuery) -> Positions:
        """Return the positions of what can never be a negative of `query`: positives, the query itself, texts folding to nothing."""
        folds = {int(self.fold[self.position[passage]]) for passage in query.positive_ids}
        return self._having((folds | {self.fold_of(folded(query.query)), self.fold_of("")}) - {-1})

    def _having(self, folds: set[int]) -> Positions:
        parts = [self.members[self.starts[f] : self.starts[f + 1]] for f in sorted(folds)]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
