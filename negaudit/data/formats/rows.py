"""The rows of a container, one after the other, each with the line it begins at; what is no row becomes a Reject."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from negaudit.data.formats.container import Container
from negaudit.data.formats.fields import Row, kind
from negaudit.data.formats.json_array import array_values
from negaudit.data.formats.parsed import Reject
from negaudit.data.formats.table_rows import arrow_rows, parquet_rows
from negaudit.data.lines import line_error, raw_lines

NumberedRow = tuple[int, Row | Reject]
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_CSV_LIMIT = 1 << 30
_SHOWN = 200


def rows(container: Container) -> Iterator[NumberedRow]:
    """Yield (line, row) for each row of the container; a line that is none is a Reject (not_json, not_utf8, not_an_object …).

    Raises NegauditError, with the line, where the file is torn: what comes after cannot be told.
    """
    return _READERS[container.kind](container)


def columns(container: Container, separator: str | None = "\t") -> Iterator[tuple[int, list[str] | Reject]]:
    """Yield (line, fields) for each line of a file without a header, split at tabs, or at white space where `separator` is None."""
    for number, raw in raw_lines(container.path):
        try:
            line = raw.rstrip(b"\r\n").decode("utf-8")
        except UnicodeDecodeError as error:
            yield number, _not_utf8(number, raw, error)
        else:
            yield number, line.split(separator)


def _json_lines(container: Container) -> Iterator[NumberedRow]:
    for number, raw in raw_lines(container.path):
        try:
            line = raw.decode("utf-8")
            yield number, checked_object(number, json.loads(line), line)
        except UnicodeDecodeError as error:
            yield number, _not_utf8(number, raw, error)
        except (ValueError, RecursionError) as error:
            if raw.startswith(b"{") and not raw.endswith((b"\n", b"}")):
                problem = (
                    f"the file ends in the middle of a record ({len(raw):,} bytes of it); expected a whole JSON object; is it complete?"
                )
                raise line_error(container.path, number, problem) from error
            what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            yield number, Reject(number, "not_json", f"expected a JSON object, found no JSON ({what})", line[:_SHOWN])


def _json_array(container: Container) -> Iterator[NumberedRow]:
    for number, value, source in array_values(container.path):
        yield number, checked_object(number, value, source)


def checked_object(number: int, body: Any, source: str) -> Row | Reject:
    """Return the parsed `body` where it is an object whose texts are whole characters, else the Reject; `source` is its JSON."""
    if not isinstance(body, dict):
        return Reject(number, "not_an_object", f"expected a JSON object, found {kind(body)}", source[:_SHOWN])
    if _SURROGATE.search(source):
        try:
            json.dumps(body, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return Reject(number, "half_a_character", "half of a surrogate pair in a text, which no file can hold", source[:_SHOWN])
    return body


def _csv(container: Container) -> Iterator[NumberedRow]:
    csv.field_size_limit(max(csv.field_size_limit(), _CSV_LIMIT))  # passages are longer than the module expects of a cell
    lines = (raw.decode("utf-8", "surrogateescape") for _, raw in raw_lines(container.path))
    reader = csv.reader(lines, delimiter=container.delimiter, strict=True)
    names = [name.strip() for name in next(reader)]
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise line_error(container.path, number, "the file ends inside a quoted cell; expected its closing quote") from error
            yield number, Reject(number, "not_csv", f"expected {len(names)} cells, found no CSV ({error})")
            continue
        if cells is None:
            return
        yield number, _csv_row(number, names, cells)


def _csv_row(number: int, names: list[str], cells: list[str]) -> Row | Reject:
    if len(cells) != len(names):
        return Reject(number, "columns", f"expected {len(names)} cells as in the header, found {len(cells)}", ",".join(cells)[:_SHOWN])
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        return Reject(number, "not_utf8", "text must be UTF-8", repr(cells)[:_SHOWN])
    return {name: cell if cell else None for name, cell in zip(names, cells, strict=True)}


def _no_rows(container: Container) -> Iterator[NumberedRow]:
    raise line_error(container.path, 1, "expected JSON, or a header that names a query and a passage column; found plain columns")


def _not_utf8(number: int, raw: bytes, error: UnicodeDecodeError) -> Reject:
    detail = f"text must be UTF-8, found byte 0x{error.object[error.start]:02x} ({error.reason})"
    return Reject(number, "not_utf8", detail, raw[:_SHOWN].decode("utf-8", "backslashreplace"))


_READERS: dict[str, Callable[[Container], Iterator[NumberedRow]]] = {
    "jsonl": _json_lines,
    "json": _json_array,
    "csv": _csv,
    "columns": _no_rows,
    "parquet": parquet_rows,
    "arrow": arrow_rows,
}
