"""Negatives that are the query, an own positive, or there twice; and positives that are there twice."""

from __future__ import annotations

import numpy as np

from negaudit.data.formats.by_system import NAME as BY_SYSTEM
from negaudit.validating.check import Check, register
from negaudit.validating.chunk import INT64, Chunk, Side, pair_keys


@register
class NegativeIsQuery(Check):
    """Negatives that are their own query."""

    name, what, severity, unit = "negative_is_query", "negatives that are the query itself", "error", "negatives"

    def update(self, chunk: Chunk) -> None:
        """Count them after folding, and those that are equal as they stand."""
        side = chunk.negatives
        self.of += len(side.texts)
        found = np.flatnonzero((side.numbers == chunk.queries.numbers[side.owner]) & ~side.empty)
        exact = sum(side.texts[at] == chunk.records[side.owner[at]].query for at in found)
        _add_kinds(self, exact, len(found))
        self.take(chunk, side, found)


@register
class NegativeIsPositive(Check):
    """Negatives that are a positive of their own record."""

    name, what, severity, unit = "negative_is_positive", "negatives that are a positive of their own record", "error", "negatives"

    def update(self, chunk: Chunk) -> None:
        """Count them after folding, and those that are equal as they stand."""
        side = chunk.negatives
        self.of += len(side.texts)
        found = np.flatnonzero(chunk.own_positive)
        exact = sum(side.texts[at] in chunk.records[side.owner[at]].positives for at in found)
        _add_kinds(self, exact, len(found))
        self.take(chunk, side, found)


@register
class RepeatedNegatives(Check):
    """Negatives that their record lists already."""

    name, what, severity, unit = "repeated_negatives", "negatives that their record has already", "warn", "negatives"

    def update(self, chunk: Chunk) -> None:
        """Count each after the first, and the records they are in."""
        _take_repeats(self, chunk, chunk.negatives)


@register
class RepeatedPositives(Check):
    """Positives that their record lists already."""

    name, what, severity, unit = "repeated_positives", "positives that their record has already", "warn", "positives"

    def update(self, chunk: Chunk) -> None:
        """Count each after the first, and the records they are in."""
        _take_repeats(self, chunk, chunk.positives)


def _take_repeats(check: Check, chunk: Chunk, side: Side) -> None:
    check.of += len(side.texts)
    keys = np.stack([pair_keys(side), _systems(check, chunk, side)])
    _, first = np.unique(keys, axis=1, return_index=True)
    again = np.setdiff1d(np.arange(len(side.texts)), first)
    again = again[~side.empty[again]]
    if len(again):
        check.details["records"] = check.details.get("records", 0) + len(np.unique(side.owner[again]))
    check.take(chunk, side, again)


def _systems(check: Check, chunk: Chunk, side: Side) -> INT64:
    """Return a number for the system of each text: where a file has lists by system, the same passage may be in several."""
    if check.file.format.name != BY_SYSTEM or side is not chunk.negatives:
        return np.zeros(len(side.texts), np.int64)
    names = [name for record in chunk.records for name in record.origins or ()]
    return np.unique(names, return_inverse=True)[1].astype(np.int64) if names else np.empty(0, np.int64)


def _add_kinds(check: Check, exact: int, all_of_them: int) -> None:
    for kind, count in (("exact", exact), ("after_folding", all_of_them - exact)):
        check.details[kind] = check.details.get(kind, 0) + int(count)
