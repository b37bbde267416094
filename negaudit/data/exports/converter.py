"""`convert`: a file in any known format written in another, with what gets lost on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negaudit.data.collection import Collection
from negaudit.data.exports.files import check_ending, write_rows
from negaudit.data.exports.target import NATIVE, Plan, Row, Target, get_target
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.opening import open_source
from negaudit.data.formats.parsed import Found
from negaudit.data.formats.rejects import Rejects
from negaudit.data.formats.source_file import SourceFile, open_file
from negaudit.data.source import NegativeSource
from negaudit.data.store import write_source
from negaudit.errors import NegauditError

SCHEMA = "negaudit.convert/1"


@dataclass(frozen=True)
class Conversion:
    """What was written: `body` is its JSON document (out, from, to, records, rows, lost …)."""

    body: dict[str, Any]

    @property
    def lost(self) -> dict[str, int]:
        """How many values of what the target had no place for."""
        return dict(self.body["lost"])


def convert(
    path: str | Path,
    to: str,
    out: str | Path,
    *,
    k: int | None = None,
    format: str | None = None,  # noqa: A002 (the option's name)
    collection: Collection | Lookup | None = None,
    rejects: Rejects | None = None,
    name: str | None = None,
) -> Conversion:
    """Write the file at `path` to `out` in the format `to` (negaudit, st-triplet, st-ntuple, st-labeled-list, flagembedding, tevatron).

    Ids, scores and origins are kept wherever the target has a place for them; the result's `lost` counts the others, and records that
    were left out. An n-tuple has `k` negatives: by default as many as most records have; one with fewer is left out, never padded.
    Raises NegauditError where the file cannot be read, nothing of it can be written, or `out` has an ending of no kind of file.
    """
    out = Path(out)
    target = None if to == NATIVE else get_target(to)
    if target is not None:
        check_ending(out, table=target.schema is not None)
    source = open_source(path, name, format=format, collection=collection, rejects=rejects)
    file = open_file(path, format=format, collection=collection, origin=source.name)
    plan = _planned(file, k)
    if target is None:
        write_source(source, out)
        rows = source.num_records
        for record in _records(file):
            plan.lose(record, "positive_scores")
    else:
        rows = write_rows(_rows(file, target, plan), out, target.schema(plan) if target.schema else None)
    return Conversion(_body(source, file, plan, to, out, rows))


def _records(file: SourceFile) -> Iterator[Found]:
    return (item for item in file.items() if isinstance(item, Found))


def _rows(file: SourceFile, target: Target, plan: Plan) -> Iterator[Row]:
    """Yield the rows of all records; raises NegauditError where there is none, before anything is written in the file's place."""
    written = False
    for record in _records(file):
        for row in target.rows(record, plan):
            written = True
            yield row
    if not written:
        reasons = ", ".join(f"{name} {count}" for name, count in sorted(plan.lost.items()) if count)
        raise NegauditError(f"{file.path}: no record can be written as {target.name} ({reasons})")


def _planned(file: SourceFile, k: int | None) -> Plan:
    """Read the file through for what has to be known before the first row."""
    counts: Counter[int] = Counter()
    scored = True
    for record in _records(file):
        counts[len(record.negatives)] += 1
        scored = scored and _all_scored(record)
    usual = max(((times, number) for number, times in counts.items() if number), default=(0, 1))[1]
    if k is not None and k < 1:
        raise NegauditError(f"k is {k}: expected at least 1 negative per record")
    return Plan(k or usual, scored)


def _all_scored(record: Found) -> bool:
    sides = ((record.positives, record.positive_scores), (record.negatives, record.negative_scores))
    return all(scores is not None and len(scores) == len(texts) and None not in scores for texts, scores in sides)


def _body(source: NegativeSource, file: SourceFile, plan: Plan, to: str, out: Path, rows: int) -> dict[str, Any]:
    counts = source.metadata.counts
    records = counts.get("records") or {"read": source.num_records, "used": source.num_records, "rejected": {}}
    details = source.metadata.details
    return {
        "schema": SCHEMA,
        "out": str(out),
        "file": str(file.path),
        "from": file.format.name,
        "to": to,
        "records": dict(records),
        "rows": rows,
        "lost": {name: count for name, count in sorted(plan.lost.items()) if count},
        "fields_left_out": dict(details.get("fields_left_out", {})) if file.format.name != NATIVE else {},
        "passages_left_out": {
            what: counts[what]["rejected"] for what in ("positives", "negatives") if counts.get(what, {}).get("rejected")
        },
        "run": details.get("run"),
    }
