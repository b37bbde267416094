"""Mining by a language model: for each query and its positive, passages that look relevant and miss the need."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.data.metadata import Account, SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.mining.llm.checking import Lengths
from negaudit.mining.llm.dialogue import Order
from negaudit.mining.llm.exchange import Backend, Sampling
from negaudit.mining.llm.journal import Journal, Written, open_journal
from negaudit.mining.llm.pace import Pace
from negaudit.mining.llm.prompt import load_prompt
from negaudit.mining.llm.running import Run
from negaudit.mining.llm.tally import Tally

POSITIVE_CHARACTERS = 4000


def mine_llm(
    collection: Collection,
    *,
    backend: Backend,
    prompt: str | Path = "plain",
    k: int = 10,
    limit: int | None = None,
    attempts: int = 3,
    budget_tokens: int | None = None,
    seed: int = 42,
    sampling: Sampling | None = None,
    lengths: Lengths | None = None,
    positive_characters: int = POSITIVE_CHARACTERS,
    min_relevance: int = 1,
    journal: Path | None = None,
    name: str = "llm",
    report: Callable[[Pace], None] | None = None,
) -> NegativeSource:
    """Return negatives that `backend` wrote for each labelled query, up to `k` a record; rank is the place in the order of acceptance.

    `limit` draws that many queries by seed (a larger limit draws the same ones and more). A record that is short of `k` is asked for
    again for what is missing, in at most `attempts` requests, then kept short; nothing is filled up. Once `budget_tokens` are spent, in
    and out, earlier runs included, no request is started. `journal` holds what is finished: a stopped run goes on where it was.
    A record whose requests all failed is left out and counted, and asked for again by the next run.

    Raises NegauditError for values out of range, a prompt that is none, a journal of other settings, and a back end that answers nothing.
    """
    for what, value in (
        ("k", k),
        ("attempts", attempts),
        ("limit", limit),
        ("budget-tokens", budget_tokens),
        ("positive-characters", positive_characters),
    ):
        if value is not None and value < 1:
            raise NegauditError(f"{what} is {value}: expected at least 1")
    order = Order(load_prompt(prompt), sampling or Sampling(), lengths or Lengths(), k, attempts, seed, positive_characters)
    task = _Task.of(collection, min_relevance, limit, seed)
    settings = {**_how(order, backend), "inputs": dict(collection.fingerprints), "split": collection.split, "min_relevance": min_relevance}
    with open_journal(journal, settings) as written:
        wanted = {query.query_id for query in task.queries}
        pace = Pace(len(task.queries), resumed=len(wanted & written.finished.keys()))
        run = Run(order, backend, written, pace, budget_tokens)
        run.over(task.queries, report or (lambda _: None))
        return _source(task, order, backend, written, run.left, name)


@dataclass(frozen=True)
class _Task:
    """The queries to write for, in the collection's order, and why others are not among them."""

    collection: Collection
    queries: Sequence[LabelledQuery]
    account: Account
    min_relevance: int

    @classmethod
    def of(cls, collection: Collection, min_relevance: int, limit: int | None, seed: int) -> _Task:
        queries, account = collection.labelled_queries(min_relevance)
        if not queries:
            where = f"collection {collection.name}, split {collection.split}"
            raise NegauditError(f"{where}: no query has a judgement of grade {min_relevance} or more; check the split and --min-relevance")
        ranked = sorted(queries, key=lambda query: (_draw(seed, query.query_id), query.query_id))
        drawn = {query.query_id for query in ranked[:limit]}
        return cls(collection, [query for query in queries if query.query_id in drawn], account, min_relevance)

    def account_of(self, used: int, left: Mapping[str, int]) -> Account:
        """Return the account of all queries, those that were not finished by reason."""
        rejected = {**self.account.rejected, **left}
        if self.account.used > len(self.queries):
            rejected["over_limit"] = self.account.used - len(self.queries)
        return Account(self.account.read, used, rejected)


def _draw(seed: int, query_id: str) -> bytes:
    return hashlib.blake2b(f"{seed}\0{query_id}".encode(), digest_size=16).digest()


def _how(order: Order, backend: Backend) -> dict[str, Any]:
    """Return all that decides what is written, and under which name it counts."""
    return {
        "method": "llm",
        **backend.identity(),
        "prompt": order.prompt.describe(),
        "sampling": asdict(order.sampling),
        "seed": order.seed,
        "parameters": {
            "k": order.k,
            "attempts": order.attempts,
            "positive_characters": order.positive_characters,
            "characters": [order.lengths.least, order.lengths.most],
        },
    }


def _source(task: _Task, order: Order, backend: Backend, journal: Journal, left: Mapping[str, int], name: str) -> NegativeSource:
    done = [journal.finished[query.query_id] for query in task.queries if query.query_id in journal.finished]
    tally = Tally()
    for written in done:
        tally.add(written.tally)
    how = {**_how(order, backend), "versions": dict(backend.versions())}
    metadata = SourceMetadata(
        name,
        "candidate",
        origins={origin: {**how, **({"kind": kind} if kind else {})} for origin, kind in _origins(name, done)},
        inputs=dict(task.collection.fingerprints),
        counts={
            "queries": task.account_of(len(done), left).as_dict(),
            "requests": tally.requests().as_dict(),
            "negatives": tally.negatives().as_dict(),
        },
        details={
            "collection": task.collection.name,
            "split": task.collection.split,
            "k": order.k,
            "min_relevance": task.min_relevance,
            "short_records": _short(done, order.k),
            "tokens": {"in": tally.tokens_in, "out": tally.tokens_out},
            "retried": dict(sorted(tally.retried.items())),
            # What records cost that were begun and not finished, in this run and earlier ones.
            "unfinished": journal.unfinished.as_dict(),
        },
    )
    return NegativeSource.from_records(_records(task.queries, journal, name), metadata)


def _records(queries: Sequence[LabelledQuery], journal: Journal, name: str) -> Iterator[Record]:
    for query in queries:
        if query.query_id in journal.finished:
            passages = journal.finished[query.query_id].passages
            negatives = tuple(Negative(p.text, _origin(name, p.kind), rank=place) for place, p in enumerate(passages, 1))
            yield Record(query.query_id, query.query, query.positives, negatives, query.positive_ids)


def _origins(name: str, done: Sequence[Written]) -> list[tuple[str, str | None]]:
    kinds = sorted({passage.kind for written in done for passage in written.passages}, key=lambda kind: kind or "")
    return [(_origin(name, kind), kind) for kind in kinds or [None]]


def _origin(name: str, kind: str | None) -> str:
    return f"{name}: {kind}" if kind else name


def _short(done: Sequence[Written], k: int) -> dict[str, int]:
    missing = [k - len(written.passages) for written in done]
    return {
        "records": sum(number > 0 for number in missing),
        "missing_negatives": sum(missing),
        "without_negatives": sum(number == k for number in missing),
    }
