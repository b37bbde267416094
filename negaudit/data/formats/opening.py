"""Opening a file as a negative source: it is read through once to count, and rejects are put aside; after that it is streamed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negaudit.data.collection import Collection
from negaudit.data.fingerprint import file_fingerprint
from negaudit.data.formats import by_system, native, trec_run
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Reject
from negaudit.data.formats.rejects import Rejects
from negaudit.data.formats.run_facts import run_facts
from negaudit.data.formats.source_file import SourceFile, no_system, open_file, plain_stem, split_system
from negaudit.data.metadata import Account, SourceMetadata
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError


def open_source(
    path: str | Path,
    name: str | None = None,
    *,
    format: str | None = None,  # noqa: A002 (the option's name)
    collection: Collection | Lookup | None = None,
    rejects: Rejects | None = None,
) -> NegativeSource:
    """Return the source in a file of any known format; FILE#SYSTEM takes the negatives of one system.

    The source is named by `name`, else by the system, else by the file's stem. Texts and ids are the file's; a query without an id gets one
    made from its text, the same in every file. What cannot be used goes to `rejects`; the metadata's `counts` account for all that was
    read, and `details` name the fields that were left out and, for a run, its depth and ties.

    Raises NegauditError where the file is missing, torn, in no known or in mixed formats, lacks its collection, or has no usable record.
    """
    place, system = split_system(path)
    stem = (system or plain_stem(place)).replace("/", "-").replace("\\", "-")
    name = stem if name is None else name
    file = open_file(path, format=format, collection=collection, origin=name)
    if file.format.name == native.NAME and file.container.kind == "parquet" and system is None and file.path.is_file():
        return NegativeSource.from_parquet(file.path, name)
    counts = _counted(file, rejects or Rejects())
    if not counts.records:
        raise _nothing_usable(file, counts)
    return NegativeSource(name, file, _metadata(file, name, counts), counts.records, file.replaced)


def open_systems(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    collection: Collection | Lookup | None = None,
    rejects: Rejects | None = None,
) -> list[NegativeSource]:
    """Return the sources of a file: one for each system where it holds negatives by system, else one; see open_source."""
    place, system = split_system(path)
    file = open_file(path, format=format, collection=collection)
    if file.format.name != by_system.NAME or system is not None:
        return [open_source(path, format=format, collection=file.lookup, rejects=rejects)]
    systems = _counted(file, Rejects()).origins
    return [open_source(f"{place}#{one}", format=format, collection=file.lookup, rejects=rejects) for one in systems]


@dataclass
class _Counts:
    """What one pass over a file found."""

    records: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    first: Reject | None = None
    positives: int = 0
    negatives: int = 0
    lost: dict[str, Counter[str]] = field(default_factory=lambda: {"positive": Counter(), "negative": Counter()})
    origins: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    made_ids: int = 0


def _counted(file: SourceFile, rejects: Rejects) -> _Counts:
    counts = _Counts()
    for item in file.items():
        if isinstance(item, Reject):
            counts.rejected[item.reason] += 1
            counts.first = counts.first or item
            rejects.add(file.path, item)
        else:
            _count(counts, item, file.origin)
    return counts


def _count(counts: _Counts, record: Found, origin: str) -> None:
    counts.records += 1
    counts.positives += len(record.positives)
    counts.negatives += len(record.negatives)
    counts.origins.update(record.origins or [origin] * len(record.negatives))
    counts.left_out.update(record.left_out)
    counts.made_ids += record.query_id is None
    for lost in record.lost:
        counts.lost[lost.role][lost.reason] += 1


def _metadata(file: SourceFile, name: str, counts: _Counts) -> SourceMetadata:
    accounts = {"records": Account(counts.records + counts.rejected.total(), counts.records, dict(counts.rejected))}
    for role, used in (("positive", counts.positives), ("negative", counts.negatives)):
        lost = counts.lost[role]
        accounts[f"{role}s"] = Account(used + lost.total(), used, dict(lost))
    details: dict[str, Any] = {"format": file.format.name, "fields_left_out": dict(counts.left_out), "query_ids_made": counts.made_ids}
    if file.format.name == trec_run.NAME:
        details["run"] = run_facts(file.container, file.lookup)
    inputs = {"file": file_fingerprint(file.path)} if file.path.is_file() else {}
    return SourceMetadata(
        name,
        origins={origin: {"method": "file", "format": file.format.name} for origin in sorted(counts.origins)},
        inputs={**inputs, **file.lookup.fingerprints},
        counts={what: account.as_dict() for what, account in accounts.items()},
        details=details,
    )


def _nothing_usable(file: SourceFile, counts: _Counts) -> NegauditError:
    if counts.first is None:
        return NegauditError(f"{file.path}: holds no records; expected {file.format.expected}")
    if file.system is not None and set(counts.rejected) == {"no_negative_of_system"}:
        everything = open_file(file.path, format=file.format.name, collection=file.lookup)
        return no_system(file.path, file.system, list(_counted(everything, Rejects()).origins))
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.rejected.items()))
    first = f"line {counts.first.line}: {counts.first.detail}"
    return NegauditError(f"{file.path}: none of its {counts.rejected.total()} records can be used ({reasons}); {first}")
