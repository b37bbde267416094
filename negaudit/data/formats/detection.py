"""Which format a file is in, told by how it begins."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from negaudit.data.formats.container import Container, container_of
from negaudit.data.formats.fields import Row
from negaudit.data.formats.format import NEVER, Format, Head, formats, get_format
from negaudit.data.formats.parsed import Reject
from negaudit.data.formats.rows import columns, rows
from negaudit.errors import NegauditError

_ROWS, _LINES, _TRIED = 5, 50, 1000


def detected(path: Path, name: str | None = None) -> tuple[Format, Container]:
    """Return the format of the file and its container; `name` says which format it is, whatever it looks like.

    Raises NegauditError where the file is missing, or in no known format, with what was found there.
    """
    container = container_of(path)
    if name is not None:
        return get_format(name), container
    head = head_of(container)
    sure = {known: known.recognise(head) for known in formats().values()}
    best = max(sure.values())
    fitting = [known for known, confidence in sure.items() if confidence == best]
    if best == NEVER:
        raise NegauditError(f"{path}: in no known format: {_seen(head)}; known are {', '.join(formats())} (--format says which it is)")
    if len(fitting) > 1:
        names = " and ".join(known.name for known in fitting)
        raise NegauditError(f"{path}: could be {names}; say which by --format")
    return fitting[0], container


def head_of(container: Container) -> Head:
    """Return how the file begins; lines that cannot be read are passed over, they are rejected when it is read."""
    if container.kind == "columns":
        tried = islice(columns(container), _TRIED)
        lines = [fields for _, fields in tried if not isinstance(fields, Reject)]
        return Head(container, lines=tuple(lines[:_LINES]))
    found: list[Row] = []
    for _, row in islice(rows(container), _TRIED):
        if not isinstance(row, Reject):
            found.append(row)
        if len(found) == _ROWS:
            break
    return Head(container, rows=_typical(found))


def _typical(found: list[Row]) -> tuple[Row, ...]:
    """Return the rows that share most keys with the others, so that one odd row at the top does not hide the format."""
    if not found:
        return ()
    ranked = {frozenset(row): sum(frozenset(row) == frozenset(other) for other in found) for row in found}
    top = max(ranked.values())
    keys = next(keys for row in found if ranked[keys := frozenset(row)] == top)
    return tuple(row for row in found if frozenset(row) == keys)


def _seen(head: Head) -> str:
    """Return what the file holds instead, in words; a file of a collection is told for what it is."""
    if head.rows:
        if head.all_have("_id", "text"):
            return "it holds the texts of a collection; give it as --corpus or --queries"
        return f"found {', '.join(map(str, head.rows[0]))[:150] or 'no keys'}"
    if head.lines:
        header = [name.strip().lower().replace("_", "-") for name in head.lines[0]]
        if {"query-id", "corpus-id"} <= set(header) or all(
            len(" ".join(line).split()) in (3, 4) and len(line[-1]) < 4 for line in head.lines
        ):
            return "it looks like judgements; give it as --qrels"
        return f"line 1 has {len(head.lines[0])} columns ({' | '.join(head.lines[0])[:100]!r})"
    return f"no row of it can be read as {head.container.kind}"
