"""Surface features of a passage: what a classifier can see of it without knowing what it says."""

from __future__ import annotations

import numpy as np
import regex

from negaudit.auditing.checks.contract import FLOATS
from negaudit.text.tokenizers import WORD

NAMES = (
    "characters",
    "words",
    "mean word length",
    "sentences",
    "punctuation share",
    "digit share",
    "upper-case share",
    "non-ASCII share",
    "distinct-word share",
    "line breaks",
    "starts with upper case",
    "ends with a full stop",
    "quotation marks",
    "brackets",
    "stock phrases",
)
_SENTENCE_END = regex.compile(r"[.!?。！？](?:\s|$)")
_PUNCTUATION = regex.compile(r"\p{P}")
_QUOTES = regex.compile("[\"'\u2018\u2019\u201c\u201d]")
_BRACKETS = regex.compile(r"[()\[\]{}<>]")
# How a language model begins or hedges when it is asked for a passage.
_STOCK = regex.compile(r"\b(?:however|overall|in conclusion|it is important to note|while|although|here is|certainly|as an ai)\b", regex.I)


def surface_features(text: str) -> list[float]:
    """Return the numbers that NAMES names, for one text."""
    words = WORD.findall(text)
    size, count = max(1, len(text)), max(1, len(words))
    return [
        len(text),
        len(words),
        sum(map(len, words)) / count,
        len(_SENTENCE_END.findall(text)),
        len(_PUNCTUATION.findall(text)) / size,
        sum(map(str.isdigit, text)) / size,
        sum(map(str.isupper, text)) / size,
        sum(ord(c) > 127 for c in text) / size,
        len({word.lower() for word in words}) / count,
        text.count("\n"),
        float(text[:1].isupper()),
        float(text.rstrip()[-1:] in ".。"),
        len(_QUOTES.findall(text)) / size,
        len(_BRACKETS.findall(text)) / size,
        len(_STOCK.findall(text)) / count,
    ]


def feature_table(texts: list[str]) -> FLOATS:
    """Return the features (texts, len(NAMES))."""
    return np.array([surface_features(text) for text in texts], np.float64).reshape(len(texts), len(NAMES))
