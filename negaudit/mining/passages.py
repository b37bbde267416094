"""The passages that mining ranks: their ids in code-point order, and which of them hold the same folded text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.data.text_column import TextColumn
from negaudit.text.folding import folded

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Passages:
    """A collection's passages by position. `id_order` is each passage's place among the ids in code-point order;
    `fold` numbers the distinct folded texts in the order of their `digests`, and `members[starts[f]:starts[f + 1]]` are the passages of
    folded text f. `position` is where the judged passages are.
    """

    ids: Sequence[str]
    texts: TextColumn
    id_order: Positions
    fold: Positions
    members: Positions
    starts: Positions
    position: dict[str, int]
    digests: npt.NDArray[np.bytes_]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, collection: Collection) -> Passages:
        """Return the passages of `collection`, in its order. Their ids and texts stay Arrow's."""
        ids, texts = collection.passages["id"], TextColumn(collection.passages["text"])
        id_order = np.empty(len(texts), np.int64)
        id_order[pc.sort_indices(ids).to_numpy()] = np.arange(len(texts))
        # By digest: the folded texts themselves would be a second copy of the corpus.
        digests = np.fromiter((_digest(folded(text)) for text in texts), "S16", len(texts))
        distinct, fold = np.unique(digests, return_inverse=True)
        starts = np.concatenate([[0], np.cumsum(np.bincount(fold, minlength=len(distinct)))]).astype(np.int64)
        members = np.argsort(fold, kind="stable").astype(np.int64)
        return cls(TextColumn(ids), texts, id_order, fold.astype(np.int64), members, starts, _judged(collection, ids), distinct)

    def fold_of(self, text: str) -> int:
        """Return the number of this folded text, -1 where no passage has it."""
        wanted = np.array([_digest(text)], "S16")
        [place] = np.searchsorted(self.digests, wanted)
        return int(place) if (self.digests[place : place + 1] == wanted).any() else -1

    def same_as(self, ids: Iterable[str]) -> Positions:
        """Return the positions of the judged passages with these ids, and of all whose folded text is one of theirs."""
        return self._having({int(self.fold[self.position[passage]]) for passage in ids})

    def always_excluded(self, query: LabelledQuery) -> Positions:
        """Return the positions of what can never be a negative of `query`: positives, the query itself, texts folding to nothing."""
        folds = {int(self.fold[self.position[passage]]) for passage in query.positive_ids}
        return self._having((folds | {self.fold_of(folded(query.query)), self.fold_of("")}) - {-1})

    def _having(self, folds: set[int]) -> Positions:
        parts = [self.members[self.starts[f] : self.starts[f + 1]] for f in sorted(folds)]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _judged(collection: Collection, ids: pa.ChunkedArray) -> dict[str, int]:
    judged = collection.judgements["passage_id"].unique()
    return dict(zip(judged.to_pylist(), pc.index_in(judged, value_set=ids).to_pylist(), strict=True))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
