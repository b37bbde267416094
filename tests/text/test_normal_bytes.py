"""The compiled normal form is Python's, whatever characters meet."""

from __future__ import annotations

import random
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from negaudit.text.byte_texts import ByteTexts
from negaudit.text.folding import normalised
from negaudit.text.normal_bytes import normal_bytes
from negaudit.text.tokenizers import get_tokenizer
from negaudit.text.vocabulary import Vocabulary, tokenize


def forms(texts: list[str]) -> list[str]:
    found = normal_bytes(ByteTexts.of(texts))
    return [found.text(i) for i in range(len(texts))]


@given(st.lists(st.text(max_size=30), min_size=1, max_size=10))
@settings(deadline=None)
def test_any_text_gets_pythons_normal_form(texts: list[str]) -> None:
    assert forms(texts) == [normalised(text) for text in texts]


def test_every_character_between_every_kind_of_neighbour() -> None:
    """A character that joins with one before or after it must not be taken for settled."""
    neighbours = ["a", "E", "é", "\u0301", "\u0327", "\u1161", "\u11a8", "\u1100", "가", "\u09be", "\u0b3e", "Σ", "ς", "İ"]
    codes = [code for code in range(1, 0x3400) if unicodedata.category(chr(code)) not in ("Cn", "Cs")]
    texts = [before + chr(code) + after for code in codes for before, after in zip(neighbours, [*neighbours[1:], ""], strict=True)]
    assert forms(texts) == [normalised(text) for text in texts]


def test_a_vocabulary_grows_past_its_first_room_without_mixing_tokens() -> None:
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(1, 20))) for _ in range(60_000)]
    texts = [" ".join(words[i : i + 500]) for i in range(0, len(words), 500)] + [" ".join(words), "x" * 300_000]
    vocabulary, tokenizer = Vocabulary(), get_tokenizer("alnum")
    lists = tokenize(texts, tokenizer, vocabulary)
    names = vocabulary.tokens()
    assert len(names) == len(set(names)) == len({*words, texts[-1]})
    for i, text in enumerate(texts):
        assert [names[token] for token in lists.ids[lists.offsets[i] : lists.offsets[i + 1]]] == text.split()
