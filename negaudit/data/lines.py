"""The lines of a text file, numbered, whether it is plain, gzip or zstd."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa

from negaudit.errors import NegauditError

_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, line without its end) of every line that is not blank.

    The compression is told by the first bytes, not by the file's name. Lines end at a line feed only: texts may hold other separators.
    Raises NegauditError, with the line, where the file is missing, torn, or not UTF-8.
    """
    number = 0
    try:
        for number, raw in raw_lines(path):
            yield number, raw.rstrip(b"\r\n").decode("utf-8")
    except UnicodeDecodeError as error:
        raise line_error(path, number, f"text must be UTF-8, found byte 0x{error.object[error.start]:02x} ({error.reason})") from error


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, bytes of the line with its end) of every line that is not blank, as numbered_lines does."""
    number = 0
    try:
        with open_text(path) as stream:
            for number, raw in enumerate(stream, start=1):
                if raw.startswith(_BOM) and number == 1:
                    raw = raw[len(_BOM) :]
                if not raw.isspace() and raw:
                    yield number, raw
    except OSError as error:
        raise line_error(path, number + 1, f"cannot be read: {error.strerror or error}; is the file complete?") from error


def line_error(path: Path, number: int, problem: str) -> NegauditError:
    """Return the error that names the file and the line."""
    return NegauditError(f"{path}, line {number}: {problem}")


def check_is_file(path: Path, what: str) -> None:
    """Raise NegauditError unless `path` is a file that exists; `what` says which input it was to be."""
    if path.is_dir():
        raise NegauditError(f"{path}: is a folder; give the {what} file itself")
    if not path.exists():
        raise NegauditError(f"{path}: no such file; expected the {what}")


def open_text(path: Path) -> BinaryIO:
    """Return the file's bytes as a stream, unpacked where its first bytes are those of gzip or zstd."""
    with open(path, "rb") as file:
        start = file.read(4)
    for magic, compression in _MAGIC.items():
        if start.startswith(magic):
            stream = pa.CompressedInputStream(pa.OSFile(str(path)), compression)
            return cast(BinaryIO, io.BufferedReader(stream, _BLOCK))
    return open(path, "rb", buffering=_BLOCK)
