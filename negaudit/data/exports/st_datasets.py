"""The datasets that sentence-transformers trains on: triplets, n-tuples and labeled lists."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from negaudit.data.exports.target import Plan, Row, Target, register
from negaudit.data.formats.parsed import Found

_NO_PLACE = ("query_ids", "positive_ids", "negative_ids", "ranks", "origins", "replaced")
_SCORES = pa.field("scores", pa.list_(pa.float64()))


def _triplets(record: Found, plan: Plan) -> Iterator[Row]:
    """Yield a row for each negative, with the first positive."""
    if not _usable(record, plan):
        return
    _lose(record, plan)
    for place, negative in enumerate(record.negatives):
        row: Row = {"anchor": record.query, "positive": record.positives[0], "negative": negative}
        if plan.scored:
            row["scores"] = [(record.positive_scores or ())[0], (record.negative_scores or ())[place]]
        yield row


def _tuples(record: Found, plan: Plan) -> Iterator[Row]:
    """Yield one row with the first positive and the first `plan.k` negatives; a record with fewer is left out, never padded."""
    if not _usable(record, plan):
        return
    if len(record.negatives) < plan.k:
        plan.lost["records_with_fewer_negatives"] += 1
        plan.lost["negatives_of_those"] += len(record.negatives)
        return
    _lose(record, plan)
    plan.lost["negatives_beyond_k"] += len(record.negatives) - plan.k
    row: Row = {"anchor": record.query, "positive": record.positives[0]}
    row |= {f"negative_{place}": negative for place, negative in enumerate(record.negatives[: plan.k], start=1)}
    if plan.scored:
        row["scores"] = [(record.positive_scores or ())[0], *(record.negative_scores or ())[: plan.k]]
    yield row


def _labeled_list(record: Found, plan: Plan) -> Iterator[Row]:
    """Yield one row with all positives and negatives and their labels."""
    if not _usable(record, plan):
        return
    plan.lose(record, *_NO_PLACE)
    if not plan.scored:
        plan.lose(record, "positive_scores", "negative_scores")
    labels = [1] * len(record.positives) + [0] * len(record.negatives)
    row: Row = {"anchor": record.query, "positive": [*record.positives, *record.negatives], "labels": labels}
    if plan.scored:
        row["scores"] = [*(record.positive_scores or ()), *(record.negative_scores or ())]
    yield row


def _usable(record: Found, plan: Plan) -> bool:
    """Return whether there is something to train on; a record without a positive or a negative is counted."""
    if record.positives and record.negatives:
        return True
    plan.lost["records_without_positive_or_negative"] += 1
    return False


def _lose(record: Found, plan: Plan) -> None:
    plan.lose(record, *_NO_PLACE)
    plan.lost["positives_after_the_first"] += len(record.positives) - 1
    if not plan.scored:
        plan.lose(record, "positive_scores", "negative_scores")


def _strings(*names: str) -> list[pa.Field]:
    return [pa.field(name, pa.string()) for name in names]


def _with_scores(fields: list[pa.Field], plan: Plan) -> pa.Schema:
    return pa.schema([*fields, _SCORES] if plan.scored else fields)


def _triplet_schema(plan: Plan) -> pa.Schema:
    return _with_scores(_strings("anchor", "positive", "negative"), plan)


def _tuple_schema(plan: Plan) -> pa.Schema:
    return _with_scores(_strings("anchor", "positive", *(f"negative_{place}" for place in range(1, plan.k + 1))), plan)


def _list_schema(plan: Plan) -> pa.Schema:
    fields = [pa.field("anchor", pa.string()), pa.field("positive", pa.list_(pa.string())), pa.field("labels", pa.list_(pa.int64()))]
    return _with_scores(fields, plan)


register(Target("st-triplet", _triplets, _triplet_schema))
register(Target("st-ntuple", _tuples, _tuple_schema))
register(Target("st-labeled-list", _labeled_list, _list_schema))
