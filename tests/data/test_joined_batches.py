"""Joined batches hold the same rows in the same order, and are as large as they may be."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negaudit.data import joined_batches
from negaudit.data.joined_batches import joined


def batches(sizes: list[int]) -> list[pa.RecordBatch]:
    numbers = iter(range(sum(sizes)))
    return [pa.RecordBatch.from_pydict({"n": pa.array([next(numbers) for _ in range(size)], pa.int64())}) for size in sizes]


@given(sizes=st.lists(st.integers(0, 12), max_size=12), rows=st.integers(1, 12))
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
