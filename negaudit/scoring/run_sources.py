"""The sources of a run by name, opened and checked before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from negaudit.data.source import NegativeSource, by_name
from negaudit.errors import NegauditError

Sources = Mapping[str, NegativeSource | Path | str] | Sequence[NegativeSource]


def named_sources(sources: Sources) -> dict[str, NegativeSource]:
    """Return the sources by name; a mapping's key names its source, whatever the file calls itself.

    Raises NegauditError where there is none, one is empty or unreadable, or two share a name.
    """
    named = {name: _opened(source, name) for name, source in sources.items()} if isinstance(sources, Mapping) else by_name(sources)
    if not named:
        raise NegauditError("there is no source to score; give at least one with --source NAME=FILE")
    for name, source in named.items():
        if not source.num_records:
            raise NegauditError(f"source '{name}' is empty: it holds no records")
    return named


def _opened(source: NegativeSource | Path | str, name: str) -> NegativeSource:
    return source.renamed(name) if isinstance(source, NegativeSource) else NegativeSource.from_file(source, name)
