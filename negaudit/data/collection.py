"""A retrieval collection: passages, queries and judgements, whatever files they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.metadata import Account


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A query with its labelled positives, highest grade first, then in the order of the judgements' lines."""

    query_id: str
    query: str
    positive_ids: tuple[str, ...]
    positives: tuple[str, ...]


@dataclass(frozen=True)
class Collection:
    """Passages and queries as Arrow tables of (id: string, text: large_string), in file order, without empty texts
    or repeated ids, and the judgements of one split (dangling and repeated ones removed) as a table of (query_id, passage_id: string,
    grade: int32) in line order.

    `accounts` says for passages, queries and judgements how many were read, used and rejected by reason;
    `fingerprints` maps each input (corpus, queries, qrels) to the blake2b-128 hex digest of its bytes.
    """

    name: str
    split: str
    passages: pa.Table
    queries: pa.Table
    judgements: pa.Table
    accounts: Mapping[str, Account]
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    def labelled_queries(self, min_relevance: int = 1) -> tuple[list[LabelledQuery], Account]:
        """Return the queries that have at least one positive, in the queries' file order, and their account.

        A positive is a judgement of at least `min_relevance`; the first is the best one, since every statistic speaks of the first positive
        only. Reasons for leaving a query out: `not_judged` (no usable judgement in this split), `no_positive` (none at or above the grade).
        """
        graded = self._graded()
        texts = self._texts_judged(min_relevance)
        rejected: Counter[str] = Counter()
        labelled = []
        for query_id, query in zip(self.queries["id"].to_pylist(), self.queries["text"].to_pylist(), strict=True):
            judged = graded.get(query_id, ())
            ids = tuple(passage_id for passage_id, grade in judged if grade >= min_relevance)
            if ids:
                labelled.append(LabelledQuery(query_id, query, ids, tuple(texts[i] for i in ids)))
            else:
                rejected["no_positive" if judged else "not_judged"] += 1
        return labelled, Account(self.queries.num_rows, len(labelled), dict(rejected))

    def _texts_judged(self, min_relevance: int) -> dict[str, str]:
        """Return the texts of the passages judged at least so, by id: of a large corpus only these become Python strings."""
        positive = self.judgements.filter(pc.greater_equal(self.judgements["grade"], min_relevance))
        judged = self.passages.filter(pc.is_in(self.passages["id"], value_set=positive["passage_id"]))
        return dict(zip(judged["id"].to_pylist(), judged["text"].to_pylist(), strict=True))

    def _graded(self) -> dict[str, list[tuple[str, int]]]:
        """Return each query's judged passages, highest grade first, then by line."""
        graded: dict[str, list[tuple[str, int]]] = {}
        columns = (self.judgements[name].to_pylist() for name in ("query_id", "passage_id", "grade"))
        for query_id, passage_id, grade in zip(*columns, strict=True):
            graded.setdefault(query_id, []).append((passage_id, grade))
        for judged in graded.values():
            judged.sort(key=lambda pair: -pair[1])
        return graded
