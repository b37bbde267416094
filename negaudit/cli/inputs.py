"""What the command line's words name: collections and negative sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import negaudit
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import Collection, NegativeSource


def open_dataset(dataset: str | None, corpus: Path | None, queries: Path | None, qrels: Path | None, split: str) -> Collection:
    """Return the collection of the folder DATASET, of the three files, or of the folder with some files replaced.

    Raises NegauditError where that is no whole collection.
    """
    three = {"--corpus": corpus, "--queries": queries, "--qrels": qrels}
    missing = [name for name, path in three.items() if path is None]
    if dataset is None and missing:
        raise NegauditError(f"no collection: give DATASET, or --corpus, --queries and --qrels (missing: {', '.join(missing)})")
    return negaudit.open_collection(dataset, corpus=corpus, queries=queries, qrels=qrels, split=split)


def open_sources(named: Sequence[str]) -> dict[str, NegativeSource]:
    """Return the sources by name, in order; each word is NAME=FILE, or a FILE that is named by its stem.

    Raises NegauditError where a file cannot be read or two sources have the same name.
    """
    return negaudit.by_name(_open_source(word) for word in named)


def _open_source(word: str) -> NegativeSource:
    name, equals, file = word.partition("=")
    if equals and not Path(word).exists():
        if not name or not file:
            raise NegauditError(f"--source {word}: expected NAME=FILE, or FILE")
        return negaudit.NegativeSource.from_parquet(Path(file), name)
    return negaudit.NegativeSource.from_parquet(Path(word))
