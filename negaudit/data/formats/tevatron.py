"""Tevatron JSON lines: passages as objects with docid, title and text, or as ids with a corpus; RLHN is the same with a subset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.data.formats.fields import Row, identifier, kind, need, others, required_id, score, text, values
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register, row_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError
from negaudit.data.jsonl_texts import passage_text

NAME, BY_ID = "tevatron", "tevatron-ids"
_QUERY = ("query", "query_text")
_KNOWN = frozenset({*_QUERY, "query_id", "positive_passages", "negative_passages", "positive_document_ids", "negative_document_ids"})


def _recognise(head: Head) -> int:
    return CERTAIN if head.all_have("positive_passages") and head.any_has("negative_passages") else NEVER


def _recognise_ids(head: Head) -> int:
    return CERTAIN if head.all_have("positive_document_ids") and head.any_has("negative_document_ids") else NEVER


def _passages(row: Row, key: str) -> list[tuple[str | None, str, float | None, str | None]]:
    """Return (id, title and text, score, origin) of each passage of a list."""
    return [_passage(value, f"{key}[{place}]") for place, value in enumerate(values(row, key))]


def _passage(value: Any, where: str) -> tuple[str | None, str, float | None, str | None]:
    if not isinstance(value, Mapping):
        raise UnusableError("not_an_object", f"{where} must be an object with docid, title and text, found {kind(value)}")
    title = "" if value.get("title") is None else text(value["title"], f"{where}.title")
    origin = value.get("origin")
    return (
        identifier(value.get("docid"), f"{where}.docid"),
        passage_text(title, text(value.get("text"), f"{where}.text")) if title else text(value.get("text"), f"{where}.text"),
        score(value.get("score"), f"{where}.score"),
        None if origin is None else text(origin, f"{where}.origin"),
    )


def _record(row: Row, _: Lookup) -> dict[str, Any]:
    query = need(row, *_QUERY)
    need(row, "positive_passages")
    positives, negatives = _passages(row, "positive_passages"), _passages(row, "negative_passages")
    origins = [passage[3] for passage in negatives]
    return {
        "query": text(row[query], query),
        "query_id": identifier(row.get("query_id"), "query_id"),
        "positives": [passage[1] for passage in positives],
        "negatives": [passage[1] for passage in negatives],
        "positive_ids": [passage[0] for passage in positives],
        "negative_ids": [passage[0] for passage in negatives],
        "positive_scores": _if_any([passage[2] for passage in positives]),
        "negative_scores": _if_any([passage[2] for passage in negatives]),
        "origins": [origin or "unknown" for origin in origins] if any(origins) else None,
        "left_out": others(row, _KNOWN),
    }


def _if_any(found: list[float | None]) -> list[float | None] | None:
    return found if any(value is not None for value in found) else None


def _id_record(row: Row, lookup: Lookup) -> dict[str, Any]:
    query = need(row, *_QUERY)
    need(row, "positive_document_ids")
    sides = {}
    for role in ("positive", "negative"):
        key = f"{role}_document_ids"
        ids = [required_id(value, f"{key}[{place}]") for place, value in enumerate(values(row, key))]
        sides[role] = lookup.known(ids, role)
    if not sides["positive"][0]:
        raise UnusableError("no_known_positive", "none of positive_document_ids is in the corpus")
    return {
        "query": text(row[query], query),
        "query_id": identifier(row.get("query_id"), "query_id"),
        "positives": sides["positive"][1],
        "negatives": sides["negative"][1],
        "positive_ids": sides["positive"][0],
        "negative_ids": sides["negative"][0],
        "lost": [*sides["positive"][2], *sides["negative"][2]],
        "left_out": others(row, _KNOWN),
    }


register(
    Format(
        NAME,
        "query_id, query, positive_passages and negative_passages",
        _recognise,
        row_reader(NAME, _record, keys=tuple((query, "positive_passages") for query in _QUERY)),
    )
)
register(
    Format(
        BY_ID,
        "query_id, query, positive_document_ids and negative_document_ids",
        _recognise_ids,
        row_reader(BY_ID, _id_record, keys=tuple((query, "positive_document_ids") for query in _QUERY)),
        needs=("passages",),
    )
)
