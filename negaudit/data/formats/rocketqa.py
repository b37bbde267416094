"""RocketQA's lines: query, title, positive, title, negative, 0; "-" or nothing where there is no title."""

from __future__ import annotations

from typing import Any

from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register
from negaudit.data.formats.line_format import Fields, line_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError
from negaudit.data.jsonl_texts import passage_text

NAME = "rocketqa"
EXPECTED = "query, title, positive, title, negative, 0"


def _recognise(head: Head) -> int:
    ends = [line[5] for line in head.lines if len(line) == 6]
    return CERTAIN if head.width(6) and all(end in ("0", "1") for end in ends) else NEVER


def _record(fields: Fields, _: Lookup) -> dict[str, Any]:
    query, positive_title, positive, negative_title, negative, label = fields
    if label not in ("0", "1"):
        raise UnusableError("bad_label", f"the last column must be 0, found {label[:40]!r}")
    return {
        "query": query,
        "positives": [passage_text(_title(positive_title), positive)],
        "negatives": [passage_text(_title(negative_title), negative)],
    }


def _title(field: str) -> str:
    return "" if field == "-" else field


register(Format(NAME, EXPECTED, _recognise, line_reader(6, _record, EXPECTED)))
