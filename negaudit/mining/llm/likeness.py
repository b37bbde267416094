"""How alike two texts are: runs of words they share, in any script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

import regex

from negaudit.text.folding import folded
from negaudit.text.tokenizers import UNSEGMENTED, get_tokenizer

_UNSEGMENTED = regex.compile(UNSEGMENTED)
RUN = 5
# From this share of runs on two texts count as copies: changing a word here and there does not get below it.
COPY = 0.6


@dataclass(frozen=True, slots=True)
class Likeness:
    """A text ready to be compared: its folded form, its words, and its runs of five words (or all of them, where there are fewer)."""

    folded: str
    words: tuple[str, ...]
    runs: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, text: str) -> Likeness:
        """Return the likeness of `text`; words of scripts without spaces are pairs of characters."""
        # Where no script needs it, the tokenizer that knows none is the faster way to the same words.
        words = tuple(get_tokenizer("words" if _UNSEGMENTED.search(text) else "alnum").tokens(text))
        length = min(RUN, len(words)) or 1
        return cls(folded(text), words, frozenset(words[i : i + length] for i in range(len(words) - length + 1)))

    def copies(self, other: Likeness) -> bool:
        """Return whether this text is mostly taken from `other`, or holds most of it. A word or two in common are no copy."""
        if self.folded == other.folded or self.words == other.words:
            return True
        return self._taken_from(other) >= COPY or (len(other.words) >= RUN and other._taken_from(self) >= COPY)

    def _taken_from(self, other: Likeness) -> float:
        """Return the share in [0, 1] of this text's runs that stand in `other`; a text of few words is looked for whole."""
        if len(self.words) < RUN:
            return float(bool(self.words) and f" {' '.join(self.words)} " in f" {' '.join(other.words)} ")
        return len(self.runs & other.runs) / len(self.runs)

    def same_as(self, other: Likeness) -> float:
        """Return how much of both texts together is shared, in [0, 1]: 1 for equal words in equal order."""
        union = len(self.runs | other.runs)
        return len(self.runs & other.runs) / union if union else float(self.folded == other.folded)


def scripts(text: str) -> Counter[str]:
    """Return how many letters of each script `text` has, by the first word of their Unicode names (LATIN, CJK, HIRAGANA …)."""
    found: Counter[str] = Counter()
    for char, count in Counter(unicodedata.normalize("NFKC", text)).items():
        if char.isalpha():
            found[unicodedata.name(char, "UNKNOWN").partition(" ")[0]] += count
    return found
