"""Relevance judgements in text: BEIR's three columns or TREC's four, with a header or without."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa

from negaudit.data.lines import line_error, numbered_lines
from negaudit.errors import NegauditError

SCHEMA = pa.schema([("query_id", pa.string()), ("passage_id", pa.string()), ("grade", pa.int32())])
LAYOUT = "query-id corpus-id score, or qid 0 pid grade"

_NAMES = (
    frozenset({"query-id", "queryid", "query", "qid", "topic", "topic-id"}),
    frozenset({"corpus-id", "doc-id", "docid", "docno", "document-id", "passage-id", "pid"}),
    frozenset({"score", "grade", "relevance", "rel", "label"}),
)
_Line = tuple[int, str, list[str]]
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}")


@dataclass(frozen=True, slots=True)
class _Layout:
    """How many columns a line has, and where query id, passage id and grade are."""

    width: int
    query: int
    passage: int
    grade: int


def read_qrels(path: Path) -> pa.Table:
    """Return the judgements of a text file as a table of SCHEMA, in line order.

    Columns are separated by tabs, else by white space. A first line is a header only where it names the columns, in whatever order; any
    other is a judgement. Raises NegauditError, with the line, for another number of columns and for a grade that is no integer.
    """
    lines: Iterator[_Line] = ((number, line, _fields(line)) for number, line in numbered_lines(path))
    opening = next(lines, None)
    if opening is None:
        return SCHEMA.empty_table()
    number, line, fields = opening
    positions = column_positions(fields)
    if positions is None:
        layout = _headless(path, number, line, fields)
        lines = chain([opening], lines)
    else:
        layout = _Layout(len(fields), *positions)
    return pa.Table.from_batches(_batches(path, lines, layout), SCHEMA)


def column_positions(names: Sequence[str]) -> tuple[int, int, int] | None:
    """Return where query id, passage id and grade are among column names, or None where not each is named exactly once."""
    plain = [name.strip().lower().replace("_", "-") for name in names]
    found = [[position for position, name in enumerate(plain) if name in known] for known in _NAMES]
    if any(len(positions) != 1 for positions in found):
        return None
    return found[0][0], found[1][0], found[2][0]


def _fields(line: str) -> list[str]:
    """Return the columns: by tabs where that gives three or four (ids may then hold spaces), else by white space."""
    tabbed = [field.strip() for field in line.split("\t")]
    return tabbed if len(tabbed) in (3, 4) else line.split()


def _headless(path: Path, number: int, line: str, fields: list[str]) -> _Layout:
    if len(fields) == 3:
        return _Layout(3, 0, 1, 2)
    if len(fields) == 4:
        return _Layout(4, 0, 2, 3)
    raise _wrong_columns(path, number, line, f"3 or 4 columns ({LAYOUT})", len(fields))


def _batches(path: Path, lines: Iterator[_Line], layout: _Layout, size: int = 65_536) -> Iterator[pa.RecordBatch]:
    queries: list[str] = []
    passages: list[str] = []
    grades: list[int] = []
    for number, line, fields in lines:
        if len(fields) != layout.width:
            raise _wrong_columns(path, number, line, f"{layout.width} columns as in the lines before", len(fields))
        queries.append(fields[layout.query])
        passages.append(fields[layout.passage])
        grades.append(_grade(path, number, fields[layout.grade]))
        if len(grades) == size:
            yield pa.RecordBatch.from_arrays([pa.array(queries), pa.array(passages), pa.array(grades, pa.int32())], schema=SCHEMA)
            queries, passages, grades = [], [], []
    if grades:
        yield pa.RecordBatch.from_arrays([pa.array(queries), pa.array(passages), pa.array(grades, pa.int32())], schema=SCHEMA)


def _grade(path: Path, number: int, field: str) -> int:
    if not _INTEGER.fullmatch(field) or abs(int(field)) >= 2**31:
        raise line_error(path, number, f"the grade must be an integer, found {field[:40]!r}; expected {LAYOUT}")
    return int(field)


def _wrong_columns(path: Path, number: int, line: str, expected: str, found: int) -> NegauditError:
    return line_error(path, number, f"expected {expected}, found {found} in {line[:60]!r}")
