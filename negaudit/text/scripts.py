"""Scripts that put no space between words, for which `alnum` tokens are whole sentences."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from negaudit.text.tokenizers import UNSEGMENTED

_LETTER = regex.compile(r"\p{L}")
_UNSEGMENTED = regex.compile(UNSEGMENTED)
SEGMENTING = ("words", "char3")  # the tokenizers that find tokens inside an unsegmented run


def unsegmented_share(texts: Iterable[str]) -> float:
    """Return the share in [0, 1] of letters that belong to a script without spaces (Han, Kana, Thai, Lao, Khmer, Burmese)."""
    letters = unsegmented = 0
    for text in texts:
        letters += len(_LETTER.findall(text))
        unsegmented += len(_UNSEGMENTED.findall(text))
    return min(1.0, unsegmented / letters) if letters else 0.0
