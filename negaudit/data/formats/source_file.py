"""A file in a known format as something to read again and again: its records one by one, or in batches of a source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from negaudit.data.collection import Collection
from negaudit.data.formats.batching import batch_of, in_groups
from negaudit.data.formats.container import Container
from negaudit.data.formats.detection import detected
from negaudit.data.formats.format import Format
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item, Reject
from negaudit.errors import NegauditError

_COMPRESSED = (".gz", ".zst")


@dataclass(frozen=True)
class SourceFile:
    """An opened file. `origin` is that of negatives that state none; with `system` only the negatives of that origin are read."""

    container: Container
    format: Format
    lookup: Lookup
    origin: str
    system: str | None = None
    replaced: bool = False

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.container.path

    def items(self) -> Iterator[Item]:
        """Yield every record, and for what is none its Reject, in the file's order."""
        for item in self.format.read(self.container, self.lookup):
            yield item if isinstance(item, Reject) or self.system is None else _of_system(item, self.system, self.origin)

    def batches(self, size: int) -> Iterator[pa.RecordBatch]:
        """Yield the usable records in batches of a source, of at most `size` rows."""
        found = (item for item in self.items() if isinstance(item, Found))
        for group in in_groups(found, size):
            yield batch_of(group, self.origin, str(self.path), replaced=self.replaced)


def open_file(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 (the option's name)
    collection: Collection | Lookup | None = None,
    origin: str | None = None,
) -> SourceFile:
    """Return the file at `path`, which may end in #SYSTEM; its format is told by its content unless `format` names it.

    Raises NegauditError where it is missing, in no known format, or its format needs a collection that is not given.
    """
    place, system = split_system(path)
    known, container = detected(place, format)
    lookup = Lookup.of(collection) if isinstance(collection, Collection) else collection or Lookup()
    lookup.check(known.needs, place, known.name)
    return SourceFile(container, known, lookup, origin or plain_stem(place), system, _has_replaced(known, container))


def split_system(path: str | Path) -> tuple[Path, str | None]:
    """Return (file, system) of FILE#SYSTEM; a file that exists under the whole name is taken as it is."""
    whole = Path(path)
    file, mark, system = str(path).rpartition("#")
    return (Path(file), system) if mark and file and system and not whole.exists() else (whole, None)


def plain_stem(path: Path) -> str:
    """Return the file's name without the endings of its compression and kind."""
    name = path.name
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return Path(name).stem or path.name


def _has_replaced(known: Format, container: Container) -> bool:
    if known.name != "negaudit" or container.path.is_dir():
        return False
    from negaudit.data.source import NegativeSource

    return NegativeSource.from_parquet(container.path).replaced


def _of_system(record: Found, system: str, origin: str) -> Item:
    """Return the record with the negatives of one system alone; a Reject where it has none, since systems differ from row to row."""
    origins = record.origins or [origin] * len(record.negatives)
    kept = [place for place, name in enumerate(origins) if name == system]
    if not kept:
        return Reject(record.line, "no_negative_of_system", f"query {record.key} has no negative of system {system}")
    lists = ("negative_ids", "negative_scores", "ranks", "origins", "replaced")
    chosen: dict[str, Any] = {name: [values[place] for place in kept] for name in lists if (values := getattr(record, name)) is not None}
    return replace(record, negatives=[record.negatives[place] for place in kept], **chosen)


def no_system(path: Path, system: str, there: list[str]) -> NegauditError:
    """Return the error for a system that a file does not have."""
    return NegauditError(f"{path}: no negative of system '{system}' (there is: {', '.join(there) or 'none'})")
