"""A mining run: rankings become records in portions, kept in memory or as shards, and everything looked at is accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Record
from negaudit.data.source import NegativeSource
from negaudit.mining.cross_encoder import CrossEncoder
from negaudit.mining.exclusion import Exclusion
from negaudit.mining.mining_task import MiningTask, Progress
from negaudit.mining.passages import Positions
from negaudit.mining.ranker import Ranker
from negaudit.mining.ranking import Ranking
from negaudit.mining.selection import Scorer, Selector
from negaudit.mining.shards import Shards
from negaudit.mining.tally import Tally

# Queries mined at once: what a kill can cost, and with the block size what bounds the memory.
PORTION = 1024


@dataclass(frozen=True)
class MiningRun:
    """A task, the ranker that works on it, and a cross-encoder where one is to score in the ranker's place."""

    task: MiningTask
    ranker: Ranker
    rescores: Scorer | None = None
    rescorer: Mapping[str, Any] | None = None
    progress: Progress | None = None

    @classmethod
    def of(cls, task: MiningTask, ranker: Ranker, cross_encoder: CrossEncoder | None, progress: Progress | None) -> MiningRun:
        """Return the run of a task, with the cross-encoder's scores in place of the ranker's where there is one."""
        if cross_encoder is None:
            return cls(task, ranker, progress=progress)

        def rescores(number: int, positions: Positions) -> npt.NDArray[np.float32]:
            return cross_encoder.scores(task.queries[number].query, [task.passages.texts[position] for position in positions])

        return cls(task, ranker, rescores, cross_encoder.description, progress)

    def source(self, out: Path | None) -> NegativeSource:
        """Return the mined source, one record per query in the queries' order; with `out`, written there.

        With `out` each finished portion is kept beside it until all are there, so that a killed run goes on with the next one and leaves
        the same bytes.
        """
        if out is None:
            portions = [self._mined(numbers) for numbers in self.portions()]
            whole = pa.concat_tables([portion.to_table() for portion in portions])
            return NegativeSource(self.task.name, whole, self._metadata(portions), whole.num_rows)
        with ExitStack() as stack:
            shards = stack.enter_context(Shards.beside(out, {**self.task.identity(), "origin": self.origin, "portion": PORTION}))
            portions = []
            for numbers in self.portions():
                done = shards.get(numbers.start)
                portions.append(shards.put(numbers.start, self._mined(numbers)) if done is None else done)
                self.report("searching", numbers.stop)
            return shards.joined(portions, self._metadata(portions))

    @property
    def origin(self) -> dict[str, Any]:
        """How the negatives came about: the ranker's account of itself, the filters, and the cross-encoder."""
        filters = self.task.filters.as_dict()
        extra: dict[str, Any] = {"filters": filters} if filters else {}
        return {**self.ranker.origin, **extra, **({"cross_encoder": dict(self.rescorer)} if self.rescorer else {})}

    def selector(self) -> Selector:
        """Return what turns this run's rankings into negatives."""
        closeness = self.ranker.closeness if self.task.filters.near_duplicate is not None else None
        exclusion = Exclusion(self.task.passages, self.task.filters, closeness)
        return Selector(self.task.passages, self.task.k, self.task.filters, self.task.name, exclusion, self.ranker.scores, self.rescores)

    def rankings(self, selector: Selector, numbers: range) -> Iterator[Ranking]:
        """Return the rankings of these queries, as deep as `selector` reads."""
        depths = [self.task.depth(self.task.queries[number], selector.limit) for number in numbers]
        return self.ranker.rankings(numbers, depths)

    def portions(self) -> Iterator[range]:
        """Yield the numbers of the queries that are mined at once."""
        count = len(self.task.queries)
        for start in range(0, count, PORTION):
            yield range(start, min(start + PORTION, count))

    def report(self, stage: str, done: int) -> None:
        """Say how many queries are done."""
        if self.progress is not None:
            self.progress(stage, done, len(self.task.queries))

    def _mined(self, numbers: range) -> NegativeSource:
        """Return the records of these queries as a source whose details hold their tally."""
        tally = Tally()
        mined = NegativeSource.from_records(self._records(numbers, tally), SourceMetadata(self.task.name))
        return replace(mined, metadata=SourceMetadata(self.task.name, details={"tally": tally.as_dict()}))

    def _records(self, numbers: range, tally: Tally) -> Iterator[Record]:
        """Yield the records of these queries, and count them."""
        task, selector = self.task, self.selector()
        for number, ranking in zip(numbers, self.rankings(selector, numbers), strict=True):
            query = task.queries[number]
            selection = selector.select(number, query, ranking)
            dropped = task.filters.require_k and len(selection.negatives) < task.k
            tally.count(selection, task.k, len(task.passages), len(ranking.positions), selector.limit, dropped=dropped)
            self.report("searching", number + 1)
            if not dropped:
                yield Record(query.query_id, query.query, query.positives, selection.negatives, query.positive_ids)

    def _metadata(self, portions: Sequence[NegativeSource]) -> SourceMetadata:
        task = self.task
        tally = Tally.sum(portion.metadata.details["tally"] for portion in portions)
        return SourceMetadata(
            task.name,
            "candidate",
            origins={task.name: self.origin},
            inputs=dict(task.collection.fingerprints),
            counts={"queries": tally.queries(task.account).as_dict(), "negatives": tally.negatives().as_dict()},
            details={
                "collection": task.collection.name,
                "split": task.collection.split,
                "k": task.k,
                "min_relevance": task.min_relevance,
                **tally.details(task.k, task.account.used),
                **self.ranker.details,
            },
        )


def package_versions(*packages: str) -> dict[str, str]:
    """Return the installed versions of `packages`."""
    return {package: version(package) for package in packages}
