"""What only shows between records: another record's positive as a negative, queries asked again, passages that are everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.validating.check import Check, register
from negaudit.validating.numbers import Block, Numbers

Array = npt.NDArray[Any]
_HUB_SHARE, _HUB_LEAST = 0.01, 10


@register
class PositiveOfQueryElsewhere(Check):
    """Negatives that another record of the same query has as a positive."""

    name = "positive_of_same_query"
    what, severity, unit = "negatives that another record of the same query has as a positive", "error", "negatives"

    def finish(self, numbers: Numbers, /) -> None:
        """Collect the positives of queries that come more than once, then look for them among their negatives."""
        again = numbers.counted("query") > 1
        known = [_pairs(block.query, block.positives, block.positive_owner, again) for block in numbers.blocks()]
        pairs = np.unique(np.concatenate([keys for keys, _ in known])) if known else np.empty(0, np.int64)
        for block in numbers.blocks():
            self.of += len(block.negatives)
            keys, at = _pairs(block.query, block.negatives, block.negative_owner, again)
            found = at[_among(keys, pairs)]
            _take(self, block, found[~_own(block)[found]])


@register
class PositiveOfOthers(Check):
    """Negatives that are a positive of another query's record."""

    name, what, severity, unit = "positive_of_another_query", "negatives that are a positive of another query", "info", "negatives"

    def finish(self, numbers: Numbers, /) -> None:
        """Count them, and the records they are in."""
        positive = numbers.counted("positives") > 0
        pairs = _all_pairs(numbers)
        records = 0
        for block in numbers.blocks():
            self.of += len(block.negatives)
            at = np.flatnonzero(block.negatives >= 0)
            at = at[positive[block.negatives[at]]]
            keys = _key(block.query[block.negative_owner[at]], block.negatives[at])
            found = at[~_among(keys, pairs)]
            records += len(np.unique(block.negative_owner[found]))
            _take(self, block, found)
        self.details = {"records": records}


@register
class DuplicateQueries(Check):
    """Queries that come again with other positives."""

    name = "queries_with_other_positives"
    what, severity, unit = "queries that come again with other positives", "warn", "queries"

    def finish(self, numbers: Numbers, /) -> None:
        """Compare the set of positives of each record with that of the query's first record."""
        times = numbers.counted("query")
        self.of = int((times > 0).sum())
        self.details = {"repeated_queries": int((times > 1).sum())}
        first: dict[int, Array] = {}
        different: set[int] = set()
        for block in numbers.blocks():
            rows = np.flatnonzero((block.query >= 0) & (times[block.query] > 1))
            bounds = np.searchsorted(block.positive_owner, np.stack([rows, rows + 1])) if len(rows) else np.empty((2, 0), np.int64)
            for row, start, stop in zip(rows.tolist(), *bounds.tolist(), strict=True):
                query, positives = int(block.query[row]), np.unique(block.positives[start:stop])
                if not np.array_equal(first.setdefault(query, positives), positives) and query not in different:
                    different.add(query)
                    self.keep({"line": int(block.lines[row]), "where": "query"})
        self.count = len(different)


@register
class Hubs(Check):
    """Passages that are a negative of very many records."""

    name, what, severity, unit = "everywhere", "passages that are a negative in very many records", "warn", "distinct negatives"

    def finish(self, numbers: Numbers, /) -> None:
        """Count passages in more than one in a hundred records (and at least 10)."""
        times = numbers.counted("negatives")
        self.of = int((times > 0).sum())
        limit = max(_HUB_LEAST, int(_HUB_SHARE * numbers.records))
        hubs = np.flatnonzero(times > limit)
        self.count = len(hubs)
        self.details = {"more_than": limit, "most": int(times.max()) if len(times) else 0}
        wanted = hubs[np.argsort(-times[hubs], kind="stable")[:5]]
        for block in numbers.blocks():
            for hub in wanted[np.isin(wanted, block.negatives)]:
                at = int(np.flatnonzero(block.negatives == hub)[0])
                self.keep({**_where(block, at), "records": int(times[hub])})
            wanted = wanted[~np.isin(wanted, block.negatives)]
            if not len(wanted):
                break


def _key(query: Array, number: Array) -> Array:
    return (query.astype(np.int64) << 32) | number.astype(np.int64)


def _pairs(query: Array, texts: Array, owner: Array, wanted: Array) -> tuple[Array, Array]:
    """Return a key of (query, text) for each non-empty text of the `wanted` queries, and the texts' positions."""
    queries = query[owner]
    at = np.flatnonzero((queries >= 0) & (texts >= 0))
    at = at[wanted[queries[at]]]
    return _key(queries[at], texts[at]), at


def _all_pairs(numbers: Numbers) -> Array:
    """Return the sorted keys of (query, positive) of the whole file: 8 bytes each."""
    everything = np.ones(max(numbers.distinct, 1), np.bool_)
    known = [_pairs(block.query, block.positives, block.positive_owner, everything)[0] for block in numbers.blocks()]
    return np.unique(np.concatenate(known)) if known else np.empty(0, np.int64)


def _among(keys: Array, ordered: Array) -> Array:
    """Return whether each key is among the ordered ones."""
    if not len(ordered):
        return np.zeros(len(keys), np.bool_)
    return np.asarray(ordered[np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)] == keys)


def _own(block: Block) -> Array:
    """Return whether each negative is a positive of its own record."""
    negatives = (block.negative_owner << 32) | (block.negatives.astype(np.int64) & 0xFFFFFFFF)
    positives = (block.positive_owner << 32) | (block.positives.astype(np.int64) & 0xFFFFFFFF)
    return np.isin(negatives, positives)


def _where(block: Block, at: int) -> dict[str, object]:
    owner = int(block.negative_owner[at])
    first = int(np.searchsorted(block.negative_owner, owner))
    return {"line": int(block.lines[owner]), "where": f"negatives[{at - first}]"}


def _take(check: Check, block: Block, found: Array) -> None:
    check.count += len(found)
    for at in found[:5].tolist():
        check.keep(_where(block, at))
