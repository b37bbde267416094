"""Tokenizers: the tokens of small texts, and the compiled path against the plain one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negaudit.errors import NegauditError
from negaudit.text.folding import normalised
from negaudit.text.tokenizers import WORD, get_tokenizer
from negaudit.text.vocabulary import Vocabulary, distinct, tokenize
from tests import reference

NAMES = ["alnum", "alnum2", "whitespace", "char3", "words", "stem:english"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("alnum", "The CAT, the ﬁsh: 3.5 kg!", ["the", "cat", "the", "fish", "3", "5", "kg"]),
        ("alnum", "पैंथर्स की", ["पैंथर्स", "की"]),
        ("alnum", "snake_case", ["snake", "case"]),
        ("alnum2", "a bc ü de", ["bc", "de"]),
        ("whitespace", "it's  a\tcat.", ["it's", "a", "cat."]),
        ("char3", "a cat", ["a c", " ca", "cat"]),
        ("char3", "ab", ["ab"]),
        ("char3", "?!", []),
        ("words", "日本の首都 Tokyo 3", ["日本", "本の", "の首", "首都", "tokyo", "3"]),
        ("words", "猫 cat", ["猫", "cat"]),
        ("words", "iPhone手机壳", ["iphone", "手机", "机壳"]),
        ("stem:english", "Cats sleeping", ["cat", "sleep"]),
    ],
)
def test_tokens_are_what_the_definition_says(name: str, text: str, expected: list[str]) -> None:
    assert get_tokenizer(name).tokens(text) == expected


@pytest.mark.parametrize("name", NAMES)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=8))
@settings(max_examples=60, deadline=None)
def test_the_compiled_path_gives_the_tokens_of_the_plain_one(name: str, texts: list[str]) -> None:
    tokenizer, vocabulary = get_tokenizer(name), Vocabulary()
    lists = tokenize(texts, tokenizer, vocabulary)
    known = vocabulary.tokens()
    found = [[known[i] for i in lists.ids[lists.offsets[t] : lists.offsets[t + 1]]] for t in range(len(texts))]
    assert found == [tokenizer.tokens(text) for text in texts]
    assert len(set(known)) == len(known)


@given(st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=60))
@settings(deadline=None)
def test_alnum_tokens_are_runs_of_letters_marks_and_numbers(text: str) -> None:
    assert set(get_tokenizer("alnum").tokens(text)) == reference.tokens(text)


def test_a_vocabulary_that_grows_over_batches_keeps_its_numbers() -> None:
    tokenizer, vocabulary = get_tokenizer("alnum"), Vocabulary()
    first = tokenize([f"word{i}" for i in range(3000)], tokenizer, vocabulary)
    again = tokenize([f"word{i} extra{i}" for i in range(3000)], tokenizer, vocabulary)
    assert again.ids[::2].tolist() == first.ids.tolist()
    assert len(vocabulary) == 6000


def test_the_set_of_a_text_holds_each_token_once() -> None:
    tokenizer, vocabulary = get_tokenizer("alnum"), Vocabulary()
    lists = distinct(tokenize(["a b a", "", "b b"], tokenizer, vocabulary), vocabulary)
    assert lists.counts().tolist() == [2, 0, 1]


@pytest.mark.parametrize("name", ["alnumm", "stem:klingon"])
def test_an_unknown_tokenizer_is_named_with_what_there_is(name: str) -> None:
    with pytest.raises(NegauditError, match=r"unknown .*there is"):
        get_tokenizer(name)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30), at=st.integers(0, 4000))
@settings(max_examples=200, deadline=None)
def test_a_rare_character_that_is_not_ascii_changes_no_token(text: str, at: int) -> None:
    around = "some plain words_and 3.5 numbers, " * 120
    mixed = normalised(f"{around[:at]}{text}{around[at:]}")
    assert get_tokenizer("alnum").split(mixed) == WORD.findall(mixed)
