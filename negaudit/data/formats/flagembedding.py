"""FlagEmbedding JSON lines: query, pos and neg, perhaps with scores; also GritLM's and ReasonIR's ["instruction", "text"] pairs."""

from __future__ import annotations

from typing import Any

from negaudit.data.formats.fields import Row, identifier, need, others, scores, text, texts, values
from negaudit.data.formats.format import CERTAIN, NEVER, POSSIBLE, Format, Head, register, row_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError

NAME = "flagembedding"
_KNOWN = frozenset({"query", "pos", "neg", "pos_scores", "neg_scores", "pos_id", "neg_id", "id", "query_id", "origins"})


def _recognise(head: Head) -> int:
    if not head.all_have("query", "pos"):
        return NEVER
    return CERTAIN if head.any_has("neg") else POSSIBLE


def _query(value: Any) -> tuple[str, str | None]:
    """Return (text, id or None); ReasonIR has lists of two texts, one of them perhaps empty, and the query's id."""
    if isinstance(value, list) and len(value) == 3 and all(isinstance(part, str) for part in value):
        return value[1] or value[0], value[2] or None
    return text(value, "query"), None


def _paired(row: Row) -> bool:
    return any(isinstance(value, list) for key in ("pos", "neg") for value in (row.get(key) or ())) or isinstance(row["query"], list)


def _record(row: Row, _: Lookup) -> dict[str, Any]:
    need(row, "query")
    if "pos" not in row:
        raise UnusableError("missing_key", f"expected query, pos and neg, found {', '.join(row)}"[:300])
    query, query_id = _query(row["query"])
    positives, negatives = texts(row, "pos"), texts(row, "neg")
    stated = identifier(row.get("id") if row.get("query_id") is None else row["query_id"], "id")
    return {
        "query": query,
        "query_id": query_id if stated is None else stated,
        "positives": positives,
        "negatives": negatives,
        "positive_ids": _ids(row, "pos_id", len(positives)),
        "negative_ids": _ids(row, "neg_id", len(negatives)),
        "positive_scores": scores(row, "pos_scores", len(positives), of="positives"),
        "negative_scores": scores(row, "neg_scores", len(negatives), of="negatives"),
        "origins": _origins(row, len(negatives)),
        "left_out": [*others(row, _KNOWN), *(["instruction"] if _paired(row) else [])],
    }


def _ids(row: Row, key: str, count: int) -> list[str | None] | None:
    found = values(row, key)
    if not found:
        return None
    if len(found) != count:
        raise UnusableError("lengths_differ", f"{key} has {len(found)} ids for {count} texts")
    return [identifier(value, f"{key}[{place}]") for place, value in enumerate(found)]


def _origins(row: Row, count: int) -> list[str] | None:
    found = texts(row, "origins")
    if found and len(found) != count:
        raise UnusableError("lengths_differ", f"origins has {len(found)} names for {count} negatives")
    return found or None


register(Format(NAME, "an object with query, pos and neg", _recognise, row_reader(NAME, _record, keys=(("query", "pos"),))))
