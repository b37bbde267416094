"""Identified texts in lines of id, tab, text, as MS MARCO has them: no header, no quoting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from negaudit.data.jsonl_texts import CHUNK, passage_text
from negaudit.data.lines import line_error, numbered_lines, raw_lines


def is_tsv(path: Path) -> bool:
    """Return whether the file's first line is an id, a tab and a text, and no JSON."""
    for _, raw in raw_lines(path):
        return not raw.lstrip().startswith((b"{", b"[")) and b"\t" in raw
    return False


def tsv_texts(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Yield (ids, texts) of the file in chunks of at most CHUNK lines, in order; a third column means id, title, text.

    Raises NegauditError, with the line, for another number of columns and for an empty id.
    """
    ids: list[str] = []
    texts: list[str] = []
    for number, line in numbered_lines(path):
        fields = line.split("\t")
        if len(fields) not in (2, 3) or not fields[0]:
            raise line_error(path, number, f"expected id, tab, text, found {len(fields)} columns in {line[:60]!r}")
        ids.append(fields[0])
        texts.append(passage_text(fields[1], fields[2]) if len(fields) == 3 else passage_text(None, fields[1]))
        if len(ids) == CHUNK:
            yield ids, texts
            ids, texts = [], []
    if ids:
        yield ids, texts
