"""negaudit's own Parquet: query_id, query, positive_ids, positives and negatives with id, text, rank, score and origin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from negaudit.data.formats.container import Container
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item
from negaudit.data.schema import COLUMNS

NAME = "negaudit"
_Value = TypeVar("_Value")


def _recognise(head: Head) -> int:
    tables = head.container.kind in ("parquet", "arrow")
    return CERTAIN + 1 if tables and head.all_have(*COLUMNS) else NEVER


def _read(container: Container, _: Lookup) -> Iterator[Item]:
    from negaudit.data.source import NegativeSource

    for row, record in enumerate(NegativeSource.from_parquet(container.path).records(), start=1):
        yield Found(
            row,
            record.query,
            list(record.positives),
            [negative.text for negative in record.negatives],
            query_id=record.query_id,
            positive_ids=record.positive_ids,
            negative_ids=[negative.id for negative in record.negatives],
            negative_scores=_if_any([negative.score for negative in record.negatives]),
            ranks=_if_any([negative.rank for negative in record.negatives]),
            origins=[negative.origin for negative in record.negatives],
            replaced=_if_any([negative.replaced for negative in record.negatives]),
        )


def _if_any(values: list[_Value | None]) -> list[_Value | None] | None:
    return values if any(value is not None for value in values) else None


register(Format(NAME, "the columns query_id, query, positive_ids, positives and negatives", _recognise, _read))
