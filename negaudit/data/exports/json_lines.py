"""FlagEmbedding and Tevatron JSON lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from negaudit.data.exports.target import Plan, Row, Target, register
from negaudit.data.formats.parsed import Found


def _flagembedding(record: Found, plan: Plan) -> Iterator[Row]:
    """Yield query, pos, neg and what else is there: scores, ids (pos_id, neg_id, query_id) and origins, which its loader passes over."""
    plan.lose(record, "ranks", "replaced")
    row = {
        "query_id": record.query_id,
        "query": record.query,
        "pos": record.positives,
        "neg": record.negatives,
        "pos_scores": finite(record.positive_scores, plan),
        "neg_scores": finite(record.negative_scores, plan),
        "pos_id": _if_any(record.positive_ids),
        "neg_id": _if_any(record.negative_ids),
        "origins": record.origins,
    }
    yield {name: value for name, value in row.items() if value is not None}


def _tevatron(record: Found, plan: Plan) -> Iterator[Row]:
    """Yield query_id, query, positive_passages and negative_passages; score and origin are fields of a passage, which its loader ignores."""
    plan.lose(record, "ranks", "replaced")
    positive = (record.positives, record.positive_ids, finite(record.positive_scores, plan), None)
    negative = (record.negatives, record.negative_ids, finite(record.negative_scores, plan), record.origins)
    yield {
        "query_id": record.key,
        "query": record.query,
        "positive_passages": _passages(*positive),
        "negative_passages": _passages(*negative),
    }


def _passages(
    texts: Sequence[str], ids: Sequence[str | None] | None, scores: Sequence[float | None] | None, origins: Sequence[str] | None
) -> list[dict[str, Any]]:
    passages = []
    for place, text in enumerate(texts):
        passage: dict[str, Any] = {"docid": ids[place] if ids else None, "title": "", "text": text}
        if scores and scores[place] is not None:
            passage["score"] = scores[place]
        if origins:
            passage["origin"] = origins[place]
        passages.append(passage)
    return passages


def finite(scores: Sequence[float | None] | None, plan: Plan) -> list[float | None] | None:
    """Return the scores with null for what JSON has no number for, which is counted as lost; None where there is none."""
    if scores is None:
        return None
    kept = [score if score is not None and math.isfinite(score) else None for score in scores]
    plan.lost["non_finite_scores"] += sum(one is None and score is not None for one, score in zip(kept, scores, strict=True))
    return kept if any(score is not None for score in kept) else None


def _if_any(ids: Sequence[str | None] | None) -> list[str | None] | None:
    return list(ids) if ids and any(identifier is not None for identifier in ids) else None


register(Target("flagembedding", _flagembedding))
register(Target("tevatron", _tevatron))
