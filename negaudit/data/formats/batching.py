"""Records as a file has them, put into record batches of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from negaudit.data.formats.parsed import Found
from negaudit.data.normal_form import normal_form
from negaudit.data.schema import NEGATIVE_FIELDS, REPLACED, source_schema


def batch_of(records: Sequence[Found], origin: str, where: str, *, replaced: bool = False) -> pa.RecordBatch:
    """Return the records as one batch in normal form; a negative without an origin has `origin`, a query without an id its text's."""
    negatives = [negative for record in records for negative in record.negatives]
    fields: dict[str, list[Any]] = {
        "id": _flat((record.negative_ids, len(record.negatives)) for record in records),
        "text": negatives,
        "rank": _flat((record.ranks, len(record.negatives)) for record in records),
        "score": _flat((record.negative_scores, len(record.negatives)) for record in records),
        "origin": [name for record in records for name in record.origins or [origin] * len(record.negatives)],
        "replaced": _flat((record.replaced, len(record.negatives)) for record in records),
    }
    kept = [field for field in (*NEGATIVE_FIELDS, REPLACED) if replaced or field.name != REPLACED.name]
    structs = pa.StructArray.from_arrays([pa.array(fields[field.name], field.type) for field in kept], fields=kept)
    positives = pa.array([text for record in records for text in record.positives], pa.string())
    positive_ids = pa.array(_flat((record.positive_ids, len(record.positives)) for record in records), pa.string())
    ends = _offsets([len(record.positives) for record in records])
    columns = [
        pa.array([record.key for record in records], pa.string()),
        pa.array([record.query for record in records], pa.string()),
        pa.ListArray.from_arrays(ends, positive_ids),
        pa.ListArray.from_arrays(ends, positives),
        pa.ListArray.from_arrays(_offsets([len(record.negatives) for record in records]), structs),
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=source_schema(replaced=replaced))
    return normal_form(batch, where, replaced=replaced)


def _flat(lists: Iterable[tuple[Sequence[Any] | None, int]]) -> list[Any]:
    return [value for values, count in lists for value in (values if values is not None else [None] * count)]


def _offsets(lengths: Sequence[int]) -> pa.Array:
    return pa.array(np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))]).astype(np.int32))


def in_groups(records: Iterable[Found], size: int) -> Iterator[list[Found]]:
    """Yield the records in lists of `size`, fewer where their texts are long."""
    group: list[Found] = []
    characters = 0
    for record in records:
        group.append(record)
        characters += sum(map(len, record.negatives)) + sum(map(len, record.positives)) + len(record.query)
        if len(group) == size or characters > _MOST_CHARACTERS:
            yield group
            group, characters = [], 0
    if group:
        yield group


_MOST_CHARACTERS = 1 << 26
