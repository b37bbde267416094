"""Sources made by hand for the scorer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource

MakeSource = Callable[..., NegativeSource]


@pytest.fixture
def make_source() -> MakeSource:
    """A function from rows (query id, query, positives, negatives) to a source."""

    def make(name: str, rows: Sequence[tuple[str, str, Sequence[str], Sequence[str]]], role: str = "candidate") -> NegativeSource:
        records = [
            Record(query_id, query, tuple(positives), tuple(Negative(text, name, id=f"n{i}") for i, text in enumerate(negatives)))
            for query_id, query, positives, negatives in rows
        ]
        return NegativeSource.from_records(records, SourceMetadata(name, role))  # type: ignore[arg-type]

    return make


@pytest.fixture
def cats(make_source: MakeSource) -> NegativeSource:
    """Two good records, a repeated text, and one record of each kind that cannot be scored."""
    return make_source(
        "cats",
        [
            ("q1", "how long do cats sleep", ["Cats sleep most of the day."], ["Dogs sleep at night.", "Cats purr.", ""]),
            ("q2", "why do dogs bark", ["", "Dogs bark at strangers."], ["Cats purr.", "Cats sleep most of the day."]),
            ("q3", "?!", ["Anything."], ["Nothing."]),
            ("q4", "no positive", [" "], ["Nothing."]),
            ("q5", "no negative", ["Anything."], ["", "\n"]),
        ],
    )
