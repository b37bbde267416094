"""A column of texts behaves as the list of its strings, whatever its chunks."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negaudit.data.text_column import TextColumn

TEXTS = st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=5), max_size=5)


def column(chunks: list[list[str]], kind: pa.DataType) -> TextColumn:
    return TextColumn(pa.chunked_array([pa.array(chunk, kind) for chunk in chunks], kind))


@given(chunks=TEXTS, kind=st.sampled_from([pa.string(), pa.large_string()]))
@settings(deadline=None)
def test_it_equals_the_list(chunks: list[list[str]], kind: pa.DataType) -> None:
    texts = [text for chunk in chunks for text in chunk]
    found = column(chunks, kind)
    assert list(found) == texts
    assert [found[i] for i in range(len(found))] == texts
    assert [found[-i] for i in range(1, len(found) + 1)] == texts[::-1]
    for some in (slice(1, 4), slice(None, None, 2), slice(None, None, -1), slice(9, 2), slice(-3, None)):
        assert list(found[some]) == texts[some]


def test_beyond_its_end_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        column([["a"], ["b"]], pa.string())[2]


@given(chunks=TEXTS, size=st.integers(1, 30))
@settings(deadline=None)
def test_portions_are_small_and_leave_nothing_out(chunks: list[list[str]], size: int) -> None:
    portions = [portion.to_pylist() for portion in column(chunks, pa.string()).portions(size)]
    assert [text for portion in portions for text in portion] == [text for chunk in chunks for text in chunk]
    assert all(len(portion) == 1 or taken(portion) <= size for portion in portions)


@given(texts=st.lists(st.text("aé", max_size=6), max_size=12), size=st.integers(1, 30))
@settings(deadline=None)
def test_portions_of_a_chunk_are_no_smaller_than_they_must(texts: list[str], size: int) -> None:
    portions = [portion.to_pylist() for portion in column([texts], pa.string()).portions(size)]
    assert all(taken(portion) + taken(following[:1]) > size for portion, following in pairwise(portions))


def taken(texts: list[str]) -> int:
    return sum(len(text.encode()) for text in texts)
