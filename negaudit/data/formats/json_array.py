"""A JSON array of any size, read value by value, so that a file of one long line needs no memory for all of it."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from negaudit.data.lines import line_error, open_text
from negaudit.errors import NegauditError

_BLOCK = 1 << 20
# An error this far before the end of what was read is no value cut off there.
_CERTAIN = 1 << 24
_SPACE = " \t\r\n"


def array_values(path: Path) -> Iterator[tuple[int, Any, str]]:
    """Yield (number from 1, value, its JSON) of each element of the array that the file is.

    Raises NegauditError, with the line and the number of the element, where the array is malformed or cut off: JSON has no way to find the
    next element.
    """
    with open_text(path) as stream:
        yield from _Array(path, stream).values()


class _Array:
    """The text that was read and is not yet used, and where in the file it begins."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self._path, self._stream = path, stream
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text, self._at, self._line, self._count, self._ended = "", 0, 1, 0, False

    def values(self) -> Iterator[tuple[int, Any, str]]:
        self._read(_BLOCK)
        self._text = self._text.removeprefix("\ufeff")
        self._take("[")
        if self._next() == "]":
            self._take("]")
        else:
            while True:
                self._next()
                self._count += 1
                value, source = self._value()
                yield self._count, value, source
                if self._next() == "]":
                    break
                self._take(",")
            self._take("]")
        if self._next():
            raise self._error("expected nothing after the array")

    def _value(self) -> tuple[Any, str]:
        decoder = json.JSONDecoder()
        while True:
            try:
                value, end = decoder.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                where = error.pos if isinstance(error, json.JSONDecodeError) else 0
                if self._ended or len(self._text) - where > _CERTAIN:
                    raise self._error(f"expected a whole JSON object ({error})") from error
                self._read(max(_BLOCK, len(self._text) - self._at))
            else:
                source = self._text[self._at : end]
                self._advance(end)
                return value, source

    def _next(self) -> str:
        """Skip white space and return the next character, "" at the end."""
        while True:
            end = self._at
            while end < len(self._text) and self._text[end] in _SPACE:
                end += 1
            self._advance(end)
            if end < len(self._text):
                return self._text[end]
            if self._ended:
                return ""
            self._read(_BLOCK)

    def _take(self, expected: str) -> None:
        found = self._next()
        if found != expected:
            raise self._error(f"expected '{expected}', found {found!r}" if found else f"the file ends here; expected '{expected}'")
        self._advance(self._at + 1)

    def _advance(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _read(self, size: int) -> None:
        try:
            block = self._stream.read(size)
            self._ended = not block
            self._text = self._text[self._at :] + self._decoder.decode(block, final=self._ended)
        except UnicodeDecodeError as error:
            raise self._error(f"text must be UTF-8 ({error.reason})") from error
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror or error}; is the file complete?") from error
        self._at = 0

    def _error(self, problem: str) -> NegauditError:
        return line_error(self._path, self._line, f"element {self._count} of the JSON array: {problem}")
