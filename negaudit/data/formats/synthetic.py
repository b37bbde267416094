"""E5-style synthetic triples: user_query, positive_document and hard_negative_document."""

from __future__ import annotations

from typing import Any

from negaudit.data.formats.fields import Row, need, others, text
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register, row_reader
from negaudit.data.formats.lookup import Lookup

NAME = "e5-synthetic"
_KEYS = ("user_query", "positive_document", "hard_negative_document")


def _recognise(head: Head) -> int:
    return CERTAIN if head.all_have(*_KEYS[:2]) else NEVER


def _record(row: Row, _: Lookup) -> dict[str, Any]:
    for key in _KEYS:
        need(row, key)
    query, positive, negative = (text(row[key], key) for key in _KEYS)
    return {"query": query, "positives": [positive], "negatives": [negative], "left_out": others(row, frozenset(_KEYS))}


register(Format(NAME, f"an object with {', '.join(_KEYS)}", _recognise, row_reader(NAME, _record, keys=(_KEYS[:2],))))
