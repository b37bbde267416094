"""A format: how its files are recognised and read; and the registry of all, where a name is taken once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from negaudit.data.formats.container import Container
from negaudit.data.formats.fields import Row
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item, Reject, UnusableError
from negaudit.data.formats.rows import rows
from negaudit.errors import NegauditError, unknown_name

NEVER, POSSIBLE, LIKELY, CERTAIN = 0, 30, 60, 90


@dataclass(frozen=True)
class Head:
    """How a file begins: its container, its first rows (none in plain columns) and its first lines split at tabs (none elsewhere)."""

    container: Container
    rows: tuple[Row, ...] = ()
    lines: tuple[list[str], ...] = ()

    def all_have(self, *keys: str) -> bool:
        """Return whether there are rows and each has all of `keys`."""
        return bool(self.rows) and all(set(keys) <= row.keys() for row in self.rows)

    def any_has(self, *keys: str) -> bool:
        """Return whether some row has one of `keys`."""
        return any(row.keys() & set(keys) for row in self.rows)

    def width(self, count: int) -> bool:
        """Return whether most lines have `count` columns."""
        return bool(self.lines) and 2 * sum(len(line) == count for line in self.lines) > len(self.lines)


Recognise = Callable[[Head], int]
Read = Callable[[Container, Lookup], Iterator[Item]]


@dataclass(frozen=True)
class Format:
    """A named format; `expected` says in a few words what its rows hold, `needs` which of passages, queries and judgements it reads."""

    name: str
    expected: str
    recognise: Recognise
    read: Read
    needs: tuple[str, ...] = ()


_FORMATS: dict[str, Format] = {}


def register(new: Format) -> Format:
    """Take in a format and return it; raises ValueError where the name is taken."""
    if new.name in _FORMATS:
        raise ValueError(f"two formats are named '{new.name}'")
    _FORMATS[new.name] = new
    return new


def formats() -> dict[str, Format]:
    """Return all formats by name."""
    import negaudit.data.formats.known  # noqa: F401  (each file there registers its own)

    return dict(_FORMATS)


def get_format(name: str) -> Format:
    """Return the format called `name`; raises NegauditError that lists the names there are."""
    known = formats()
    if name not in known:
        raise unknown_name("format", name, known)
    return known[name]


def row_reader(name: str, record: Callable[[Row, Lookup], dict[str, Any]], *, keys: tuple[tuple[str, ...], ...]) -> Read:
    """Return the reader of a format that has one record per row; `record` returns the fields of Found, or raises UnusableError.

    A row with none of `keys` (alternatives of keys) that is a row of another format means a mixed-up file: NegauditError, with the line.
    """

    def read(container: Container, lookup: Lookup) -> Iterator[Item]:
        for number, row in rows(container):
            yield row if isinstance(row, Reject) else made(container, number, row, lookup, name, record, keys)

    return read


def made(
    container: Container,
    number: int,
    row: Row,
    lookup: Lookup,
    name: str,
    record: Callable[[Row, Lookup], dict[str, Any]],
    keys: tuple[tuple[str, ...], ...],
) -> Item:
    """Return the record of one row, or the Reject that says why it is none."""
    try:
        return Found(line=number, **record(row, lookup))
    except UnusableError as error:
        if error.reason == "missing_key" and not any(set(some) <= row.keys() for some in keys):
            _check_not_mixed(container, number, row, name)
        return Reject(number, error.reason, error.detail, repr(dict(row))[:200])


def _check_not_mixed(container: Container, number: int, row: Row, name: str) -> None:
    head = Head(container, (row,))
    other = max(formats().values(), key=lambda known: known.recognise(head))
    if other.recognise(head) > NEVER and other.name != name:
        expected = get_format(name).expected
        raise NegauditError(
            f"{container.path}, line {number}: expected {expected} as in the lines before ({name}), found a row of {other.name} "
            f"({', '.join(map(str, row))[:120]}); a file holds one format: split it, or name the one to read by --format"
        )
