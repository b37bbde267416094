"""Distinct texts: equal bytes share a number, others never do."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from negaudit.text.byte_texts import ByteTexts
from negaudit.text.distinct_texts import DistinctTexts
from negaudit.text.fingerprint_kernel import fingerprints

TEXTS = st.lists(st.text("ab é", max_size=20), max_size=40)


@given(st.lists(TEXTS, max_size=4))
@settings(deadline=None)
def test_numbers_go_by_first_occurrence_over_batches(batches: list[list[str]]) -> None:
    distinct, expected = DistinctTexts(), {}
    for texts in batches:
        before = len(expected)
        numbers, first = distinct.number(texts)
        assert numbers.tolist() == [expected.setdefault(text, len(expected)) for text in texts]
        assert [texts[i] for i in first] == list(expected)[before:]
    assert len(distinct) == len(expected)


def test_the_fingerprint_is_murmur3_x64_128() -> None:
    texts = ByteTexts.of(["", "hello", "The quick brown fox jumps over the lazy dog"])
    found = fingerprints(texts.buffer, texts.starts, texts.ends)
    assert [f"{a:016x}{b:016x}" for a, b in found.tolist()] == [
        "0" * 32,
        "cbd8a7b341bd9b025b1e906a48ae1d19",
        "e34bbc7bbc071b6c7a433ca9c49a9347",
    ]


def test_slices_nulls_and_both_string_widths_are_read_alike() -> None:
    for kind in (pa.string(), pa.large_string()):
        array = pa.array(["x", "ab", None, "", "é"], kind)[1:]
        views = ByteTexts.of(array)
        assert [views.text(i) for i in range(4)] == ["ab", "", "", "é"]
        chunked = ByteTexts.of(pa.chunked_array([array, array]))
        assert [chunked.text(i) for i in range(8)] == ["ab", "", "", "é"] * 2
