"""Texts come back as they were added, from memory and from disk."""

from __future__ import annotations

import pyarrow as pa
import pytest

from negaudit.scoring.text_spool import TextSpool

TEXTS = [f"text {i} é" for i in range(100)]


@pytest.mark.parametrize("in_memory", [0, 300, 1 << 20])
def test_texts_come_back_in_order(in_memory: int) -> None:
    spool = TextSpool(in_memory)
    for start in range(0, 100, 9):
        spool.append(pa.array(TEXTS)[start : start + 9])
        spool.append(pa.array([], pa.string()))
    assert list(spool) == TEXTS
    assert spool[41:44] == TEXTS[41:44]
    with pytest.raises(IndexError):
        spool[100]
    assert bool(spool._stored) == (in_memory < 1 << 20)
