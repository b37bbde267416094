"""Scripts without spaces between words, which need another tokenizer."""

from __future__ import annotations

import regex

from negaudit.text.tokenizers import UNSEGMENTED
from negaudit.validating.check import Check, register
from negaudit.validating.chunk import Chunk

_PATTERN = regex.compile(UNSEGMENTED)


@register
class UnsegmentedScripts(Check):
    """Queries in Han, Kana, Thai, Lao, Khmer or Burmese."""

    name, what, severity, unit = "unsegmented_script", "queries in a script without spaces between words", "info", "queries"

    def update(self, chunk: Chunk) -> None:
        """Count queries most of whose letters are of such a script."""
        side = chunk.queries
        self.of += len(side.texts)
        self.take(chunk, side, (at for at in side.not_ascii if _mostly(side.texts[at])))
        if self.count:
            self.note = "score with --tokenizer words or char3"


def _mostly(text: str) -> bool:
    found = len(_PATTERN.findall(text))
    return 2 * found > sum(character.isalpha() for character in text)
