"""Small sources made by hand, in which a control that breaks a rule is bound to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from tests.encoders import embedding_cache, packaged_encoder  # noqa: F401

MakeSource = Callable[..., NegativeSource]


@pytest.fixture
def make_source() -> MakeSource:
    """A function of rows (query id, query, positives, negatives) and a name; ids are the texts in capitals."""

    def make(rows: Iterable[tuple[str, str, Iterable[str], Iterable[str]]], name: str = "bm25") -> NegativeSource:
        records = []
        for query_id, query, positives, negatives in rows:
            made = tuple(Negative(text, "bm25", id=text.upper(), rank=rank, score=9.5) for rank, text in enumerate(negatives, 1))
            records.append(Record(query_id, query, tuple(positives), made, tuple(text.upper() for text in positives)))
        return NegativeSource.from_records(records, SourceMetadata(name, origins={"bm25": {"method": "bm25"}}))

    return make


@pytest.fixture
def many(make_source: MakeSource) -> NegativeSource:
    """200 records of ten negatives, every query and positive its own; query ids repeat in pairs."""
    return make_source((f"q{i // 2}", f"question {i}", [f"answer {i}"], [f"passage {i} {j}" for j in range(10)]) for i in range(200))
