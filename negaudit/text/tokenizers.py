"""The tokenizers by name: how a normalised text becomes tokens."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field

import regex

from negaudit.errors import unknown_name
from negaudit.text.folding import normalised

# Python's own [^\W_]+ splits Hindi words at their vowel signs, which are marks and not letters.
WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
# Every ASCII byte that is no part of a word becomes a space.
_ASCII_WORDS = bytes(byte if byte >= 128 or chr(byte).isalnum() else 32 for byte in range(256))
_RARE = 64  # of so many characters, one that is not ASCII
UNSEGMENTED = r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_PIECE = regex.compile(rf"(?P<unsegmented>(?:{UNSEGMENTED}\p{{M}}*)+)|(?:(?!{UNSEGMENTED})[\p{{L}}\p{{M}}\p{{N}}])+")


@dataclass(frozen=True)
class Tokenizer:
    """A named rule from a normalised text to its tokens, in order and with repeats.

    `word_characters` is the least number of characters of a token where the rule is just "runs of letters, marks and numbers",
    which the compiled kernel does; None where only `split` knows.
    """

    name: str
    split: Callable[[str], list[str]] = field(repr=False, compare=False)
    word_characters: int | None = None

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of `text` after NFKC and lower-casing."""
        return self.split(normalised(text))


def _alnum(text: str) -> list[str]:
    """Return what WORD finds. Where nearly all is ASCII a split finds it two to four times as fast, and WORD sees the other runs alone."""
    coded = text.encode("utf-8", "surrogatepass")
    if (len(coded) - len(text)) * _RARE > len(text):
        return list(WORD.findall(text))
    runs = coded.translate(_ASCII_WORDS).decode("utf-8", "surrogatepass").split()
    if len(coded) == len(text):
        return runs
    return [token for run in runs for token in ((run,) if run.isascii() else WORD.findall(run))]


def _alnum2(text: str) -> list[str]:
    return [token for token in _alnum(text) if len(token) >= 2]


def _char3(text: str) -> list[str]:
    joined = " ".join(_alnum(text))
    if len(joined) < 3:
        return [joined] if joined else []
    return [joined[i : i + 3] for i in range(len(joined) - 2)]


def _words(text: str) -> list[str]:
    tokens: list[str] = []
    for match in _PIECE.finditer(text):
        run = match.group()
        if match.group("unsegmented") is None or len(run) < 2:
            tokens.append(run)
        else:
            tokens.extend(run[i : i + 2] for i in range(len(run) - 1))
    return tokens


def _stem(language: str) -> Tokenizer:
    import Stemmer

    if language not in Stemmer.algorithms():
        raise unknown_name("stemmer language", language, Stemmer.algorithms())
    # One cached stemmer would be shared by threads, and Snowball's is not safe for that; a call of its own costs little.
    return Tokenizer(f"stem:{language}", lambda text: list(Stemmer.Stemmer(language).stemWords(_alnum(text))))


@functools.cache
def tokenizers() -> dict[str, Tokenizer]:
    """Return the fixed tokenizers by name; `stem:LANG` comes besides."""
    fixed = (
        Tokenizer("alnum", _alnum, word_characters=1),
        Tokenizer("alnum2", _alnum2, word_characters=2),
        Tokenizer("whitespace", str.split),
        Tokenizer("char3", _char3),
        Tokenizer("words", _words),
    )
    return {tokenizer.name: tokenizer for tokenizer in fixed}


def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer called `name` (alnum, alnum2, whitespace, char3, words or stem:LANG).

    Raises NegauditError that lists the names there are.
    """
    if name.startswith("stem:"):
        return _stem(name.removeprefix("stem:"))
    known = tokenizers()
    if name not in known:
        raise unknown_name("tokenizer", name, [*known, "stem:LANG"])
    return known[name]
