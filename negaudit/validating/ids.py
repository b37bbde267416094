"""Ids that are missing, that lead nowhere, or that are there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from negaudit.text.distinct_texts import DistinctTexts
from negaudit.validating.check import Check, register
from negaudit.validating.chunk import Chunk

if TYPE_CHECKING:
    from negaudit.data.formats.source_file import SourceFile


@register
class MissingIds(Check):
    """Queries and passages without an id."""

    name, what, severity = "missing_ids", "queries and passages without an id", "info"

    def update(self, chunk: Chunk) -> None:
        """Count them by role."""
        for record in chunk.records:
            sides = {
                "query": ([record.query_id], 1),
                "positives": (record.positive_ids, len(record.positives)),
                "negatives": (record.negative_ids, len(record.negatives)),
            }
            for role, (ids, count) in sides.items():
                self.of += count
                missing = count if ids is None else sum(identifier is None for identifier in ids)
                if missing:
                    self.count += missing
                    self.details[role] = self.details.get(role, 0) + missing


@register
class DanglingIds(Check):
    """Ids that the collection does not hold; the passages were left out."""

    name, what, unit = "dangling_ids", "ids of passages that the collection does not hold", "ids"

    def update(self, chunk: Chunk) -> None:
        """Count them by role."""
        for record in chunk.records:
            self.of += len(record.positives) + len(record.negatives)
            for lost in record.lost:
                if lost.reason == "unknown_passage":
                    self.of += 1
                    self.count += 1
                    self.details[lost.role] = self.details.get(lost.role, 0) + 1
                    self.keep({"line": record.line, "query_id": record.key, "where": lost.role, "text": lost.id})


@register
class DuplicateQueryIds(Check):
    """Query ids that more than one record has."""

    name, what, unit = "duplicate_query_ids", "records whose query id was there before", "records"

    def __init__(self, file: SourceFile) -> None:
        super().__init__(file)
        self._ids = DistinctTexts()
        self._query = np.empty(0, np.int32)

    def update(self, chunk: Chunk) -> None:
        """Count ids seen before, and those that now stand for another query."""
        stated = [at for at, record in enumerate(chunk.records) if record.query_id is not None]
        self.of += len(stated)
        if not stated:
            return
        before = len(self._ids)
        numbers, first = self._ids.number([chunk.records[at].query_id or "" for at in stated])
        if len(self._query) < len(self._ids):
            self._query = np.concatenate([self._query[:before], np.empty(max(len(self._ids), before), np.int32)])
        queries = chunk.queries.numbers[stated]
        self._query[before : len(self._ids)] = queries[first]
        again = np.setdiff1d(np.arange(len(stated)), first)
        self.take(chunk, chunk.queries, (stated[at] for at in again))
        other = int((self._query[numbers[again]] != queries[again]).sum())
        if other:
            self.severity = "error"
            self.details["with_another_query"] = self.details.get("with_another_query", 0) + other
