"""What is mined for: the labelled queries of a collection, K negatives each, from all its passages, through the filters."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.data.metadata import Account
from negaudit.errors import NegauditError
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.passages import Passages

# Called with a stage ("encoding passages", "searching" …), how much of it is done, and how much there is.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class MiningTask:
    """The labelled queries of a collection, `k` negatives each, all passages, and the filters between them."""

    collection: Collection
    queries: Sequence[LabelledQuery]
    account: Account
    passages: Passages
    k: int
    min_relevance: int
    filters: CandidateFilters
    name: str

    @classmethod
    def of(cls, collection: Collection, k: int, min_relevance: int, filters: CandidateFilters | None, name: str) -> MiningTask:
        """Return the task; raises NegauditError where k is below 1 or there is nothing to rank or to rank for."""
        if k < 1:
            raise NegauditError(f"k is {k}: expected at least 1 negative per record")
        queries, account = collection.labelled_queries(min_relevance)
        if not queries:
            where = f"collection {collection.name}, split {collection.split}"
            raise NegauditError(f"{where}: no query has a judgement of grade {min_relevance} or more; check the split and --min-relevance")
        return cls(collection, queries, account, Passages.of(collection), k, min_relevance, filters or CandidateFilters(), name)

    def depth(self, query: LabelledQuery, limit: int | None) -> int:
        """Return how many passages of a ranking are needed: `limit`, else what holds `k` that are no positive; at most all there are."""
        if limit is not None:
            return min(len(self.passages), limit)
        return min(len(self.passages), self.k + len(self.passages.always_excluded(query)))

    def identity(self) -> dict[str, Any]:
        """Return what fixes the task, as JSON-ready data: equal only where every record would be."""
        asked = [[query.query_id, query.query, query.positive_ids] for query in self.queries]
        return {
            "passages": texts_key(self.collection.passages["id"]) + texts_key(self.collection.passages["text"]),
            "queries": hashlib.blake2b(json.dumps(asked).encode(), digest_size=16).hexdigest(),
            "inputs": dict(self.collection.fingerprints),
            "k": self.k,
            "min_relevance": self.min_relevance,
            "filters": self.filters.as_dict(),
            "name": self.name,
        }


def texts_key(texts: pa.ChunkedArray) -> str:
    """Return the blake2b-128 digest (32 hex digits) of a column of texts in its order, whatever its chunks."""
    lengths, content = hashlib.blake2b(digest_size=16), hashlib.blake2b(digest_size=16)
    for chunk in texts.chunks:
        column = chunk.cast(pa.large_binary())
        lengths.update(pc.binary_length(column).cast(pa.int64()).to_numpy(zero_copy_only=False).tobytes())
        if len(column):
            _, offsets, data = column.buffers()
            bounds = memoryview(offsets).cast("q")
            start, end = bounds[column.offset], bounds[column.offset + len(column)]
            content.update(memoryview(data or b"")[start:end])
    return hashlib.blake2b(lengths.digest() + content.digest(), digest_size=16).hexdigest()
