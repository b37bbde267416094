"""Folded text and the share of unsegmented scripts."""

from __future__ import annotations

import pytest

from negaudit.text.folding import folded
from negaudit.text.scripts import unsegmented_share


@pytest.mark.parametrize(
    ("one", "other"),
    [("A  cat\n", "a cat"), ("Straße", "STRASSE"), ("ﬁsh", "fish"), ("e\u0301", "é"), ("\u00a0x\u2003y", "x y")],
)
def test_texts_that_differ_in_case_space_or_unicode_form_fold_to_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_texts_that_differ_in_a_word_do_not_fold_to_one() -> None:
    assert folded("a cat") != folded("acat")


@pytest.mark.parametrize(("text", "share"), [("日本の首都", 1.0), ("plain words", 0.0), ("पैंथर्स", 0.0), ("ab 日本", 0.5), ("123", 0.0)])
def test_the_share_of_letters_in_scripts_without_spaces(text: str, share: float) -> None:
    assert unsegmented_share([text]) == share
