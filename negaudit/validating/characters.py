"""Characters that tell of a broken text: HTML entities, replacement characters, C1 controls, UTF-8 encoded twice, text that is not NFC."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable

import numpy as np
import pyarrow.compute as pc

from negaudit.validating.check import Check, register
from negaudit.validating.chunk import Chunk, Side
from negaudit.validating.double_encoding import CANDIDATE, repaired

_ENTITY = "&(?:[a-zA-Z][a-zA-Z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});"


class _TextCheck(Check):
    """Counts the texts that have a fault, in whatever role; a subclass says which of a side's texts do."""

    def update(self, chunk: Chunk) -> None:
        for side in chunk.sides:
            self.of += len(side.texts)
            found = list(self.faulty(side))
            if found:
                self.details[side.role] = self.details.get(side.role, 0) + len(found)
            for at in found:
                self.take(chunk, side, [at], **self.shown(side.texts[at]) if len(self.examples) < 5 else {})

    def faulty(self, side: Side) -> Iterable[int]:
        """Yield the positions of the texts with the fault."""
        raise NotImplementedError

    def shown(self, text: str) -> dict[str, str]:  # noqa: ARG002 (for those that show more)
        """Return what an example shows beyond how the text begins: the place of the fault and how it would read without."""
        return {}


@register
class HtmlEntities(_TextCheck):
    """Texts with HTML entities."""

    name, what, severity = "html_entities", "texts with HTML entities", "warn"
    _pattern = re.compile(_ENTITY)

    def faulty(self, side: Side) -> Iterable[int]:
        """Yield texts in which an entity stands for something."""
        for at in np.flatnonzero(pc.match_substring_regex(side.arrow, _ENTITY)):
            if any(html.unescape(entity) != entity for entity in self._pattern.findall(side.texts[at])):
                yield int(at)

    def shown(self, text: str) -> dict[str, str]:
        """Return the first entity and its place."""
        found = next(match for match in self._pattern.finditer(text) if html.unescape(match.group()) != match.group())
        return {"found": _around(text, found.start()), "repair": html.unescape(_around(text, found.start()))}


@register
class ReplacementCharacters(_TextCheck):
    """Texts with U+FFFD, which stands where a character was lost."""

    name, what, severity = "replacement_characters", "texts with the replacement character U+FFFD", "warn"

    def faulty(self, side: Side) -> Iterable[int]:
        """Yield texts that hold one."""
        return (at for at in side.not_ascii if "\ufffd" in side.texts[at])

    def shown(self, text: str) -> dict[str, str]:
        """Return the place of the first one."""
        return {"found": _around(text, text.index("\ufffd"))}


@register
class ControlCharacters(_TextCheck):
    """Texts with C1 controls (U+0080 to U+009F), which no text means."""

    name, what, severity = "c1_controls", "texts with C1 control characters", "warn"
    _pattern = re.compile("[\x80-\x9f]")

    def faulty(self, side: Side) -> Iterable[int]:
        """Yield texts that hold one."""
        return (at for at in side.not_ascii if self._pattern.search(side.texts[at]))

    def shown(self, text: str) -> dict[str, str]:
        """Return the place of the first one, controls written out."""
        found = self._pattern.search(text)
        return {"found": _around(text, found.start() if found else 0).encode("unicode_escape").decode()}


@register
class DoubleEncoding(_TextCheck):
    """Texts whose UTF-8 was read as Latin-1 or Windows-1252 and encoded again."""

    name, what, severity = "double_encoded", "texts with double-encoded UTF-8", "warn"

    def faulty(self, side: Side) -> Iterable[int]:
        """Yield texts that a repair changes."""
        return (at for at in side.not_ascii if CANDIDATE.search(side.texts[at]) and repaired(side.texts[at]) != side.texts[at])

    def shown(self, text: str) -> dict[str, str]:
        """Return the place of the first fault and its repair."""
        better = repaired(text)
        at = next(place for place, (one, other) in enumerate(zip(text, better, strict=False)) if one != other)
        return {"found": _around(text, at).encode("unicode_escape").decode(), "repair": _around(better, at)}


@register
class NotNfc(_TextCheck):
    """Texts that are not in Unicode's composed form: they look the same as others and are not equal to them."""

    name, what, severity = "not_nfc", "texts that are not NFC", "info"

    def faulty(self, side: Side) -> Iterable[int]:
        """Yield texts that composing changes."""
        return (at for at in side.not_ascii if not unicodedata.is_normalized("NFC", side.texts[at]))


def _around(text: str, at: int) -> str:
    """Return the text near a place."""
    return text[max(0, at - 20) : at + 20]
