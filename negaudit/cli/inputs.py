"""What the command line's words name: collections and negative sources."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import negaudit
from negaudit.cli.output import reasons
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import Collection, Lookup, NegativeSource, Rejects


def open_dataset(dataset: str | None, corpus: Path | None, queries: Path | None, qrels: Path | None, split: str) -> Collection:
    """Return the collection of the folder DATASET, of the three files, or of the folder with some files replaced.

    Raises NegauditError where that is no whole collection.
    """
    three = {"--corpus": corpus, "--queries": queries, "--qrels": qrels}
    missing = [name for name, path in three.items() if path is None]
    if dataset is None and missing:
        raise NegauditError(f"no collection: give DATASET, or --corpus, --queries and --qrels (missing: {', '.join(missing)})")
    return negaudit.open_collection(dataset, corpus=corpus, queries=queries, qrels=qrels, split=split)


def open_sources(
    named: Sequence[str], collection: Collection | Lookup | None = None, rejects: Path | None = None, format_name: str | None = None
) -> dict[str, NegativeSource]:
    """Return the sources by name, in order; each word is NAME=FILE or FILE, in any known format, and FILE may end in #SYSTEM.

    `format_name` says which format, where the content does not tell.
    A FILE alone is named by its stem, and one that holds negatives by system becomes a source for each, named by the system.
    What cannot be used of the files is written to `rejects`, and said on stderr.
    Raises NegauditError where a file cannot be read or two sources have the same name.
    """
    with negaudit.Rejects(rejects) as put_aside:
        sources = negaudit.by_name(source for word in named for source in _open_word(word, collection, put_aside, format_name))
    say_rejects(put_aside)
    return sources


def open_lookup(
    dataset: str | None, corpus: Path | None, queries: Path | None, qrels: Path | None, split: str
) -> Collection | Lookup | None:
    """Return what files of ids are looked up in: a whole collection, or those of its files that are given; None where none is."""
    given = (corpus, queries, qrels)
    if dataset is not None or all(given):
        return open_dataset(dataset, corpus, queries, qrels, split)
    return negaudit.Lookup.from_files(corpus, queries, qrels) if any(given) else None


def keep_apart(rejects: Path, *files: str) -> None:
    """Raise NegauditError where the rejects would be written onto one of the files that are read or written."""
    for file in files:
        if Path(file.partition("#")[0]).resolve() == rejects.resolve():
            raise NegauditError(f"--rejects {rejects}: is the same file as {file}; give another place for the rejects")


def say_rejects(rejects: Rejects) -> None:
    """Say on stderr how many records of which file were put aside, why, and where they are."""
    for path, counts in rejects.counts.items():
        first = rejects.first[path]
        where = f"; all are in {rejects.written}" if rejects.written else ""
        said = (
            f"{path}: {counts.total():,} records cannot be used ({reasons(counts)}), the first in line {first.line}: {first.detail}{where}"
        )
        print(f"warning: {said}", file=sys.stderr)


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except OSError as error:
        raise NegauditError(f"--source {word[:60]}…: {error.strerror or error}; expected NAME=FILE, or FILE") from error


def _open_word(word: str, collection: Collection | Lookup | None, rejects: Rejects, format_name: str | None) -> list[NegativeSource]:
    name, equals, file = word.partition("=")
    if equals and not _exists(word):
        if not name or not file:
            raise NegauditError(f"--source {word}: expected NAME=FILE, or FILE")
        sources = negaudit.open_systems(file, format=format_name, collection=collection, rejects=rejects)
        return [source.renamed(name if len(sources) == 1 else f"{name}-{source.name}") for source in sources]
    return negaudit.open_systems(word, format=format_name, collection=collection, rejects=rejects)
