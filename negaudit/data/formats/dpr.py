"""DPR JSON: one array of objects with question, positive_ctxs, negative_ctxs and hard_negative_ctxs."""

from __future__ import annotations

from typing import Any

from negaudit.data.formats.fields import Row, identifier, kind, need, others, score, text, values
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register, row_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError
from negaudit.data.jsonl_texts import passage_text

NAME = "dpr"
# The harder ones first; each list's name is the origin of its passages.
_NEGATIVES = ("hard_negative_ctxs", "negative_ctxs")
_KNOWN = frozenset({"question", "positive_ctxs", *_NEGATIVES})


def _recognise(head: Head) -> int:
    return CERTAIN if head.all_have("question", "positive_ctxs") else NEVER


def _context(value: Any, where: str) -> tuple[str | None, str, float | None]:
    if not isinstance(value, dict):
        raise UnusableError("not_an_object", f"{where} must be an object with title and text, found {kind(value)}")
    title = "" if value.get("title") is None else text(value["title"], f"{where}.title")
    stated = value.get("passage_id") if value.get("passage_id") is not None else value.get("psg_id")
    given = value.get("score")
    # Some copies of DPR's own files write scores as strings.
    number = float(given) if isinstance(given, str) and given.replace(".", "", 1).lstrip("-").isdigit() else given
    body = text(value.get("text"), f"{where}.text")
    return identifier(stated, f"{where}.passage_id"), passage_text(title, body), score(number, f"{where}.score")


def _record(row: Row, _: Lookup) -> dict[str, Any]:
    need(row, "question")
    need(row, "positive_ctxs")
    positives = [_context(value, f"positive_ctxs[{place}]") for place, value in enumerate(values(row, "positive_ctxs"))]
    negatives = [(*_context(value, f"{key}[{place}]"), key) for key in _NEGATIVES for place, value in enumerate(values(row, key))]
    return {
        "query": text(row["question"], "question"),
        "positives": [context[1] for context in positives],
        "negatives": [context[1] for context in negatives],
        "positive_ids": [context[0] for context in positives],
        "negative_ids": [context[0] for context in negatives],
        "positive_scores": [context[2] for context in positives],
        "negative_scores": [context[2] for context in negatives],
        "origins": [context[3] for context in negatives],
        "left_out": others(row, _KNOWN),
    }


register(
    Format(
        NAME,
        "an object with question, positive_ctxs, negative_ctxs and hard_negative_ctxs",
        _recognise,
        row_reader(NAME, _record, keys=(("question", "positive_ctxs"),)),
    )
)
