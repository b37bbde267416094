"""Records of several sources that speak of the same query, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pyarrow as pa

from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.text.folding import folded

# A query: its id, its folded text, and which of the records with both it is.
Key = tuple[str, str, int]


def paired_records(named: Mapping[str, NegativeSource]) -> Iterator[dict[str, Record]]:
    """Yield each query's records by source: the first source's queries in its order, then those that only later ones have.

    The tables of the sources are held, their records made one query at a time.
    """
    tables = {source: content.to_table() for source, content in named.items()}
    rows = {source: _rows(table) for source, table in tables.items()}
    order: dict[Key, None] = {}
    for found in rows.values():
        order.update(dict.fromkeys(found))
    for key in order:
        yield {source: _record(tables[source], found[key]) for source, found in rows.items() if key in found}


def _rows(table: pa.Table) -> dict[Key, int]:
    seen: Counter[tuple[str, str]] = Counter()
    rows: dict[Key, int] = {}
    for row, (query_id, query) in enumerate(zip(table["query_id"].to_pylist(), table["query"].to_pylist(), strict=True)):
        pair = (query_id, folded(query))
        rows[(*pair, seen[pair])] = row
        seen[pair] += 1
    return rows


def _record(table: pa.Table, row: int) -> Record:
    [found] = table.slice(row, 1).to_pylist()
    negatives = tuple(Negative(**negative) for negative in found["negatives"])
    return Record(found["query_id"], found["query"], tuple(found["positives"]), negatives, tuple(found["positive_ids"]))
