"""sentence-transformers triplets and n-tuples: anchor, positive and negative, or negative_1 to negative_n."""

from __future__ import annotations

import re
from typing import Any

from negaudit.data.formats.fields import Row, need, others, scores, text
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register, row_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError

NAME = "st-tuples"
ANCHORS, POSITIVES = ("anchor", "query", "question"), ("positive", "answer")
_NEGATIVE = re.compile(r"negative(_[0-9]+)?")
_KNOWN = frozenset({*ANCHORS, *POSITIVES, "scores", "score"})


def negative_columns(row: Row) -> list[str]:
    """Return the names of a row's negative columns, by number."""
    return sorted((name for name in row if _NEGATIVE.fullmatch(name)), key=lambda name: int(name.partition("_")[2] or 0))


def _recognise(head: Head) -> int:
    named = any(head.all_have(anchor, positive) for anchor in ANCHORS for positive in POSITIVES)
    return CERTAIN if named and any(negative_columns(row) for row in head.rows) else NEVER


def _record(row: Row, _: Lookup) -> dict[str, Any]:
    anchor, positive = need(row, *ANCHORS), need(row, *POSITIVES)
    columns = negative_columns(row)
    if not columns:
        raise UnusableError("missing_key", f"expected negative, or negative_1 to negative_n, found {', '.join(row)}"[:300])
    # A cell without a value is a record with fewer negatives, not an empty one.
    present = [(place, name) for place, name in enumerate(columns) if row[name] is not None]
    key = "scores" if row.get("scores") is not None else "score"
    found = scores(row, key, 1 + len(columns), of="texts")
    return {
        "query": _string(row, anchor),
        "positives": [_string(row, positive)],
        "negatives": [_string(row, name) for _, name in present],
        "positive_scores": found[:1] if found else None,
        "negative_scores": [found[1 + place] for place, _ in present] if found else None,
        "left_out": others(row, _KNOWN.union(columns)),
    }


def _string(row: Row, name: str) -> str:
    if isinstance(row[name], list):
        raise UnusableError("list_for_string", f"{name} is a list where a string belongs; is the file a labeled list?")
    return text(row[name], name)


register(
    Format(
        NAME,
        "anchor (or query), positive (or answer) and negative or negative_1 to negative_n",
        _recognise,
        row_reader(NAME, _record, keys=tuple((anchor, positive) for anchor in ANCHORS for positive in POSITIVES)),
    )
)
