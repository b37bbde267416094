"""Records of a file chosen to be looked at: by query, or at random."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from negaudit.data.formats.parsed import Found
from negaudit.data.formats.source_file import SourceFile
from negaudit.errors import NegauditError


@dataclass(frozen=True)
class Chosen:
    """A record, and its row among the usable ones, by which per-pair files name it."""

    row: int
    record: Found


def by_query(file: SourceFile, query: str) -> list[Chosen]:
    """Return the records whose query id, or whose query itself, is `query`; raises NegauditError where there is none."""
    found = [chosen for chosen in _all(file) if query in (chosen.record.key, chosen.record.query)]
    if not found:
        raise NegauditError(f"{file.path}: no record of query '{query}'; give a query's id or its text (--random 3 shows some)")
    return found


def at_line(file: SourceFile, line: int) -> list[Chosen]:
    """Return the record that begins at this line; raises NegauditError where there is none."""
    found = [chosen for chosen in _all(file) if chosen.record.line == line]
    if not found:
        raise NegauditError(f"{file.path}: no usable record begins at line {line}")
    return found


def at_random(file: SourceFile, number: int, seed: int) -> list[Chosen]:
    """Return `number` records drawn with `seed`, in the file's order, all where there are fewer: those of the smallest
    blake2b(seed, query id, occurrence), so the order of the file changes nothing.
    """
    seen: dict[str, int] = {}

    def keys() -> Iterator[tuple[bytes, int, Chosen]]:
        for chosen in _all(file):
            occurrence = seen[chosen.record.key] = seen.get(chosen.record.key, -1) + 1
            word = f"{seed}\x00{chosen.record.key}\x00{occurrence}".encode("utf-8", "surrogatepass")
            yield hashlib.blake2b(word, digest_size=16).digest(), chosen.row, chosen

    drawn = heapq.nsmallest(number, keys(), key=lambda entry: entry[:2])
    return sorted((chosen for _, _, chosen in drawn), key=lambda chosen: chosen.row)


def _all(file: SourceFile) -> Iterator[Chosen]:
    row = 0
    for item in file.items():
        if isinstance(item, Found):
            yield Chosen(row, item)
            row += 1
