"""The sweep: how much each relative margin leaves, with every record's account, and nothing written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from negaudit.data.collection import Collection
from negaudit.data.metadata import Account
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import Bm25Ranker
from negaudit.mining.bm25_index import Bm25Parameters
from negaudit.mining.cross_encoder import CrossEncoder
from negaudit.mining.dense import BLOCK_SIZE, DenseRanker
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.mined_source import MiningRun
from negaudit.mining.mining_task import MiningTask, Progress
from negaudit.mining.ranker import Ranker
from negaudit.mining.tally import Tally


@dataclass(frozen=True, slots=True)
class MarginYield:
    """What one relative margin leaves: the account of all candidates, and of each record's (its query id, its account)."""

    margin: float
    k: int
    negatives: Account
    full: int
    records: tuple[tuple[str, Account], ...]

    @property
    def share(self) -> float:
        """Negatives kept of those asked for."""
        return self.negatives.used / (self.k * len(self.records))

    def as_dict(self) -> dict[str, Any]:
        """Return the yield as JSON-ready data, record by record."""
        return {
            "margin": self.margin,
            "kept": self.negatives.used,
            "asked": self.k * len(self.records),
            "share": self.share,
            "full_records": self.full,
            "negatives": self.negatives.as_dict(),
            "records": [{"query_id": query_id, **account.as_dict()} for query_id, account in self.records],
        }


def sweep_margins(
    collection: Collection,
    margins: Sequence[float],
    *,
    k: int = 10,
    encoder: FrozenEncoder | None = None,
    bm25: Bm25Parameters | None = None,
    min_relevance: int = 1,
    filters: CandidateFilters | None = None,
    cross_encoder: CrossEncoder | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[MarginYield]:
    """Return what mining with each relative margin would keep, in the margins' order: by `encoder`, else by BM25 (parameters `bm25`).

    Everything is ranked and scored once; the other `filters` hold as they are, and what mining would keep is exactly what is counted
    here (records that `require_k` would drop are counted with what they keep).
    Raises NegauditError where there is no margin or one is no finite number.
    """
    if not margins:
        raise NegauditError("no margin to sweep: give relative margins such as 0.8,0.9,0.95")
    for margin in margins:
        replace(filters or CandidateFilters(), relative_margin=margin)
    task = MiningTask.of(collection, k, min_relevance, replace(filters or CandidateFilters(), relative_margin=margins[0]), "sweep")
    ranker: Ranker
    if encoder is None:
        ranker = Bm25Ranker(task, bm25 or Bm25Parameters(), cache, progress)
    else:
        ranker = DenseRanker(task, encoder, "exact", BLOCK_SIZE, cross_encoder is not None, progress)
    return _swept(MiningRun.of(task, ranker, cross_encoder, progress), list(margins))


def _swept(run: MiningRun, margins: list[float]) -> list[MarginYield]:
    task = run.task
    tallies = [Tally() for _ in margins]
    records: list[list[tuple[str, Account]]] = [[] for _ in margins]
    for number, accounts in _accounts(run, margins, tallies):
        for kept, account in zip(records, accounts, strict=True):
            kept.append((task.queries[number].query_id, account))
    return [
        MarginYield(margin, task.k, tally.negatives(), sum(account.used == task.k for _, account in kept), tuple(kept))
        for margin, tally, kept in zip(margins, tallies, records, strict=True)
    ]


def _accounts(run: MiningRun, margins: list[float], tallies: list[Tally]) -> Iterator[tuple[int, list[Account]]]:
    selector, task = run.selector(), run.task
    for numbers in run.portions():
        for number, ranking in zip(numbers, run.rankings(selector, numbers), strict=True):
            selections = selector.sweep(number, task.queries[number], ranking, margins)
            for tally, selection in zip(tallies, selections, strict=True):
                tally.count(selection, task.k, len(task.passages), len(ranking.positions), selector.limit)
            yield number, [selection.account for selection in selections]
        run.report("sweeping", numbers.stop)
