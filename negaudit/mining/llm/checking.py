"""What a written passage has to be before it counts as a negative, and the reason where it is not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from negaudit.data.collection import LabelledQuery
from negaudit.errors import NegauditError
from negaudit.mining.llm.likeness import COPY, Likeness, scripts
from negaudit.mining.llm.parsing import Draft

# Runs of eight words in a row come from the prompt's own sentences, not by chance.
ECHO_WORDS = 8
# A script that a positive holds less of than this is quoted in it, not written in.
OWN_SCRIPT = 0.2
_REFUSAL = re.compile(
    r"^\W*((i'?m|i am|we'?re|we are) (very |so |really )?(sorry|unable)|sorry,|i apologi[sz]e|my apologies|unfortunately, i|"
    r"as an? (ai|artificial intelligence|large language|language)\b|i'?m (just )?an ai\b|"
    r"i (can'?t|can ?not|could not|couldn'?t|won'?t|will not|must decline to) "
    r"(help|assist|provide|create|generate|write|fulfil|comply|do that|answer|produce|complete))",
    re.IGNORECASE,
)
_MARKS = re.compile(r"</?data-[0-9a-f]{4,}|</?think>|<\|[^|<>]{1,40}\|>|\{\{\s*\w+\s*\}\}|\"passages?\"\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many characters a passage may have; raises NegauditError where that leaves none."""

    least: int = 20
    most: int = 6000

    def __post_init__(self) -> None:
        if not 1 <= self.least <= self.most:
            raise NegauditError(f"lengths from {self.least} to {self.most} characters: expected at least 1, and no more than the most")


class PassageCheck:
    """The check of one record's passages: against its query, its positives, the prompt, and what was accepted before."""

    def __init__(self, query: LabelledQuery, echoes: frozenset[tuple[str, ...]], lengths: Lengths) -> None:
        self._query = Likeness.of(query.query)
        self._positives = [Likeness.of(text) for text in query.positives]
        self._scripts = _written_in(query.positives[0])
        self._echoes = echoes
        self._lengths = lengths
        self._accepted: list[Likeness] = []

    def accept(self, draft: Draft) -> str:
        """Return the text of a passage that may be kept, and remember it; raises PassageRejectedError with the reason otherwise."""
        text = _clean(draft.text)
        if len(text) < self._lengths.least:
            raise PassageRejectedError("too_short" if text else "empty")
        if len(text) > self._lengths.most:
            raise PassageRejectedError("too_long")
        found = Likeness.of(text)
        reason = self._fault(text, found)
        if reason:
            raise PassageRejectedError(reason)
        self._accepted.append(found)
        return text

    def _fault(self, text: str, found: Likeness) -> str | None:
        if not found.words or (self._scripts and not _mostly_letters(text)):
            return "no_words"
        if _REFUSAL.search(text.replace("\u2019", "'")):
            return "refusal"
        if _MARKS.search(text) or not self._echoes.isdisjoint(word_runs(found.words)):
            return "prompt_echo"
        if found.folded == self._query.folded or found.words == self._query.words or found.same_as(self._query) >= COPY:
            return "query"
        if any(found.copies(positive) for positive in self._positives):
            return "positive_copy"
        if any(found.copies(other) for other in self._accepted):
            return "repeat"
        if self._scripts and not self._same_script(text):
            return "other_script"
        return None

    def _same_script(self, text: str) -> bool:
        found = scripts(text)
        return sum(count for script, count in found.items() if script in self._scripts) * 2 >= sum(found.values())


class PassageRejectedError(Exception):
    """A passage that cannot be a negative; the message is the reason to count by."""


def _clean(text: str | None) -> str:
    """Return the text stripped, line ends as they are; control characters and halves of characters are no text."""
    if text is None:
        raise PassageRejectedError("not_a_string")
    stripped = text.strip()
    if any(unicodedata.category(char) in ("Cs", "Cc") and char not in "\n\r\t" for char in set(stripped)):
        raise PassageRejectedError("not_text")
    return stripped


def _written_in(text: str) -> frozenset[str]:
    found = scripts(text)
    return frozenset(script for script, count in found.items() if count >= OWN_SCRIPT * sum(found.values()))


def _mostly_letters(text: str) -> bool:
    """Return whether at least half of the letters and digits are letters: rows of numbers say nothing."""
    return 2 * sum(map(str.isalpha, text)) >= sum(map(str.isalnum, text))


def word_runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """Return all runs of eight words; a passage that shares one with the prompt's own sentences echoes it."""
    return frozenset(tuple(words[i : i + ECHO_WORDS]) for i in range(len(words) - ECHO_WORDS + 1))
