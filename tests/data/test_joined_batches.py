"""Joined batches hold the same rows in the same order, and are as large as they may be."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negaudit.data import joined_batches
from negaudit.data.joined_batches import joined
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError


def batches(sizes: list[int]) -> list[pa.RecordBatch]:
    numbers = iter(range(sum(sizes)))
    return [pa.RecordBatch.from_pydict({"n": pa.array([next(numbers) for _ in range(size)], pa.int64())}) for size in sizes]


@given(sizes=st.lists(st.integers(0, 12), max_size=12), rows=st.integers(1, 12))
@settings(deadline=None)
def test_rows_stay_as_they_are_and_no_two_neighbours_would_fit_together(sizes: list[int], rows: int) -> None:
    found = list(joined(batches(sizes), rows))
    assert [number for batch in found for number in batch["n"].to_pylist()] == list(range(sum(sizes)))
    lengths = [batch.num_rows for batch in found]
    assert all(lengths)
    assert all(length <= rows or length in sizes for length in lengths)
    assert all(one + other > rows for one, other in pairwise(lengths))


def test_batches_of_many_bytes_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_batches, "MOST_BYTES", 40)
    assert [batch.num_rows for batch in joined(batches([2, 2, 2, 9, 1]), 2048)] == [4, 2, 9, 1]


def test_a_source_of_records_has_few_batches_and_says_the_right_row() -> None:
    record = Record("q", "query", ("positive",), (Negative("negative", "o"),), ("p",))
    source = NegativeSource.from_records([record] * 5000, SourceMetadata("s"))
    assert [batch.num_rows for batch in source.batches()] == [2048, 2048, 904]
    with pytest.raises(NegauditError, match="row 200 "):
        NegativeSource.from_records([*[record] * 200, replace(record, query_id=None)], SourceMetadata("s"))  # type: ignore[arg-type]


def test_many_tiny_batches_are_joined_in_one_pass() -> None:
    class Counted:
        """A batch that counts how often its size is asked for, which is slow for nested columns."""

        asked = 0
        num_rows = 1

        @property
        def nbytes(self) -> int:
            Counted.asked += 1
            return 8

    found = joined([Counted() for _ in range(1000)], 1)  # type: ignore[misc]
    assert sum(1 for _ in found) == 1000
    assert Counted.asked == 1000
