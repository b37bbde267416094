"""GPL's training lines: qid, positive id, negative id, margin (how much the positive is ahead)."""

from __future__ import annotations

from typing import Any

from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register
from negaudit.data.formats.line_format import Fields, is_id, is_number, known_record, line_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError

NAME = "gpl"
EXPECTED = "qid, positive id, negative id, margin"


def _recognise(head: Head) -> int:
    four = [line for line in head.lines if len(line) == 4]
    fits = all(is_number(line[3]) and all(map(is_id, line[:3])) for line in four)
    # Judgements have four columns too, a second of zeros and whole grades.
    judged = all(line[1] in ("0", "Q0") for line in four)
    return CERTAIN if head.width(4) and fits and not judged else NEVER


def _record(fields: Fields, lookup: Lookup) -> dict[str, Any]:
    query_id, positive, negative, margin = fields
    if not is_number(margin):
        raise UnusableError("bad_score", f"the margin must be a number, found {margin[:40]!r}")
    record = known_record(query_id, positive, negative, lookup)
    # A margin speaks of the two together; held against a positive of 0, the negative is at its opposite.
    return {**record, "positive_scores": [0.0], "negative_scores": [-float(margin)] * len(record["negatives"])}


register(Format(NAME, EXPECTED, _recognise, line_reader(4, _record, EXPECTED), needs=("passages", "queries")))
