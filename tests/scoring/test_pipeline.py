"""Stages that run side by side keep the order and lose no error."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from negaudit.scoring.pipeline import InOrder, read_ahead


def test_items_read_ahead_come_in_order_and_an_error_comes_where_it_happened() -> None:
    def items() -> Iterator[int]:
        yield from range(10)
        raise OSError("the disk is gone")

    found: list[int] = []
    with pytest.raises(OSError, match="the disk is gone"):
        found.extend(read_ahead(items()))
    assert list(read_ahead(iter(range(100)))) == list(range(100))


def test_a_reader_that_nobody_listens_to_stops() -> None:
    before = threading.active_count()
    for item in read_ahead(iter(range(1_000_000))):
        if item == 3:
            break
    assert threading.active_count() == before


def test_calls_run_in_order_and_their_error_is_raised() -> None:
    done: list[int] = []
    with InOrder(done.append) as stage:
        for i in range(50):
            stage.submit(i)
    assert done == list(range(50))

    def fails(i: int) -> None:
        if i == 5:
            raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"), InOrder(fails) as stage:
        [stage.submit(i) for i in range(50)]
    with pytest.raises(OSError, match="no space left"), InOrder(fails) as stage:
        stage.submit(5)
