"""Scripts that put no space between words, for which `alnum` tokens are whole sentences."""

from __future__ import annotations

import string
from collections.abc import Iterable

import regex

from negaudit.text.tokenizers import UNSEGMENTED

_NO_ASCII_LETTERS = bytes(set(range(256)) - set(string.ascii_letters.encode()))
_LETTER = regex.compile(r"\p{L}")
_UNSEGMENTED = regex.compile(UNSEGMENTED)
SEGMENTING = ("words", "char3")  # the tokenizers that find tokens inside an unsegmented run


class ScriptShare:
    """Accumulates the share in [0, 1] of letters that belong to a script without spaces (Han, Kana, Thai, Lao, Khmer, Burmese)."""

    def __init__(self) -> None:
        self._letters = self._unsegmented = 0

    def update(self, texts: Iterable[str | None]) -> None:
        """Add the letters of `texts`; nulls have none."""
        ascii_texts = []
        for text in texts:
            if text is None:
                continue
            if text.isascii():
                ascii_texts.append(text)
                continue
            self._letters += len(_LETTER.findall(text))
            self._unsegmented += len(_UNSEGMENTED.findall(text))
        self._letters += len("".join(ascii_texts).encode().translate(None, _NO_ASCII_LETTERS))

    def merge(self, other: ScriptShare) -> None:
        """Add all that `other` holds."""
        self._letters += other._letters
        self._unsegmented += other._unsegmented

    def result(self) -> float:
        """Return the share, 0 where there is no letter."""
        return min(1.0, self._unsegmented / self._letters) if self._letters else 0.0


def unsegmented_share(texts: Iterable[str | None]) -> float:
    """Return the share in [0, 1] of the letters of `texts` that belong to a script without spaces."""
    share = ScriptShare()
    share.update(texts)
    return share.result()
