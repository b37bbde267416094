"""From rankings to a negative source: records, and the account of everything that was looked at or came short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.data.metadata import Account, SourceMetadata
from negaudit.data.record import Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.mining.exclusion import Selection, select_negatives
from negaudit.mining.passages import Passages
from negaudit.mining.ranking import Ranking

# How many records came short, by how many negatives in all, how many kept none, and how many passages could not be ranked for them.
SHORT = ("records", "missing_negatives", "without_negatives", "not_candidates")
# Called with a stage ("encoding passages", "searching" …), how much of it is done, and how much there is.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class MiningTask:
    """What is mined for: the labelled queries of a collection, `k` negatives each, from all its passages."""

    collection: Collection
    queries: Sequence[LabelledQuery]
    account: Account
    passages: Passages
    k: int
    min_relevance: int

    @classmethod
    def of(cls, collection: Collection, k: int, min_relevance: int) -> MiningTask:
        """Return the task; raises NegauditError where k is below 1 or there is nothing to rank or to rank for."""
        if k < 1:
            raise NegauditError(f"k is {k}: expected at least 1 negative per record")
        queries, account = collection.labelled_queries(min_relevance)
        if not queries:
            where = f"collection {collection.name}, split {collection.split}"
            raise NegauditError(f"{where}: no query has a judgement of grade {min_relevance} or more; check the split and --min-relevance")
        return cls(collection, queries, account, Passages.of(collection), k, min_relevance)

    def depth(self, query: LabelledQuery) -> int:
        """Return how many passages at the top of a ranking hold `k` that are no positive of `query`, at most all there are."""
        return min(len(self.passages), self.k + len(self.passages.same_as(query.positive_ids)))


def mined_source(
    task: MiningTask, rankings: Iterable[Ranking], *, name: str, origin: Mapping[str, Any], details: Mapping[str, Any]
) -> NegativeSource:
    """Return the source of the best negatives of each ranking, one record per query, in the queries' order.

    A record keeps fewer than `k` negatives, even none, where no more passages could be ranked; the metadata counts them.
    """
    records, counts = [], Counter[str]()
    for query, ranking in zip(task.queries, rankings, strict=True):
        selection = select_negatives(ranking, query, task.passages, task.k, name)
        records.append(Record(query.query_id, query.query, query.positives, selection.negatives, query.positive_ids))
        _count(counts, selection, task.k)
        if len(selection.negatives) < task.k:  # then the ranking is all there is
            counts["not_candidates"] += len(task.passages) - len(ranking.positions)
    rejected = {"positive_id": counts["positive_id"], "positive_text": counts["positive_text"]}
    metadata = SourceMetadata(
        name,
        "candidate",
        origins={name: dict(origin)},
        inputs=dict(task.collection.fingerprints),
        counts={"queries": task.account.as_dict(), "negatives": Account(counts["read"], counts["used"], rejected).as_dict()},
        details={
            "collection": task.collection.name,
            "split": task.collection.split,
            "k": task.k,
            "min_relevance": task.min_relevance,
            "short_records": {reason: counts[reason] for reason in SHORT},
            **details,
        },
    )
    return NegativeSource.from_records(records, metadata)


def package_versions(*packages: str) -> dict[str, str]:
    """Return the installed versions of `packages`."""
    return {package: version(package) for package in packages}


def _count(counts: Counter[str], selection: Selection, k: int) -> None:
    used = len(selection.negatives)
    counts["read"] += selection.looked_at
    counts["used"] += used
    counts["positive_id"] += selection.positive_id
    counts["positive_text"] += selection.positive_text
    counts["records"] += used < k
    counts["missing_negatives"] += k - used
    counts["without_negatives"] += used == 0
