"""Formats without a header: a record per line, told by its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from negaudit.data.formats.container import Container
from negaudit.data.formats.format import Read
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item, Reject, UnusableError
from negaudit.data.formats.rows import columns

Fields = list[str]


def line_reader(width: int, record: Callable[[Fields, Lookup], dict[str, Any]], expected: str) -> Read:
    """Return the reader of a format with `width` columns separated by tabs; `record` returns the fields of Found, or raises UnusableError.

    A line of another number of columns is rejected.
    """

    def read(container: Container, lookup: Lookup) -> Iterator[Item]:
        for number, fields in columns(container):
            if isinstance(fields, Reject):
                yield fields
            elif len(fields) != width:
                yield wrong_columns(number, fields, width, expected)
            else:
                try:
                    yield Found(line=number, **record(fields, lookup))
                except UnusableError as error:
                    yield Reject(number, error.reason, error.detail, "\t".join(fields)[:200])

    return read


def wrong_columns(number: int, fields: Fields, width: int, expected: str) -> Reject:
    """Return the reject of a line that has not `width` columns."""
    detail = f"expected {width} columns ({expected}), found {len(fields)}"
    return Reject(number, "columns", detail, "\t".join(fields)[:200])


def known_record(query_id: str, positive: str, negative: str, lookup: Lookup) -> dict[str, Any]:
    """Return the record of one query, positive and negative, all given by id; raises UnusableError where one is unknown."""
    query = lookup.query(query_id)
    if query is None:
        raise UnusableError("unknown_query", f"query {query_id} is not among the queries")
    positive_ids, positives, _ = lookup.known([positive], "positive")
    negative_ids, negatives, lost = lookup.known([negative], "negative")
    if not positives:
        raise UnusableError("no_known_positive", f"positive {positive} is not in the corpus")
    return {
        "query": query,
        "query_id": query_id,
        "positives": positives,
        "positive_ids": positive_ids,
        "negatives": negatives,
        "negative_ids": negative_ids,
        "lost": lost,
    }


def is_number(field: str) -> bool:
    """Return whether a column holds a number, as scores and margins are."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def is_id(field: str) -> bool:
    """Return whether a column can be an id: a word without spaces, not long."""
    return 0 < len(field) <= 64 and not any(character.isspace() for character in field)
