"""`clean`: a source without the negatives, or the records, that chosen checks flagged, and an account of what went and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

import polars as pl

from negaudit.auditing.auditor import AuditResult, load_audit
from negaudit.data.metadata import Account
from negaudit.data.record import Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError, unknown_name

Drop = Literal["negatives", "records"]
FLAGS = "flags.parquet"
# Row of the source -> position in the record's list -> the checks that flagged it, by their place in the order that was asked for.
Flagged = Mapping[int, Mapping[int, Sequence[int]]]


def clean(source: NegativeSource, audited: str | Path, *, checks: Iterable[str], drop: Drop = "negatives") -> NegativeSource:
    """Return `source` without what `checks` flagged in it, by the audit in the folder `audited`; the source's name finds it there.

    Drop "negatives" takes the flagged negatives out, and records that are left with none; "records" takes out every record with a
    flagged negative. What is dropped for several checks is counted under the first of them in the given order; the metadata's details
    say how many each check flagged, and how many records the audit did not look at: those stay, unchecked. Order and all else stay.

    Raises NegauditError where the audit is of another file, a check is unknown there or was not run, or nothing would be left.
    """
    if drop not in get_args(Drop):
        raise NegauditError(f"drop must be one of {', '.join(get_args(Drop))}, got '{drop}'")
    audit, chosen = load_audit(Path(audited)), list(dict.fromkeys(checks))
    fingerprint = _same_file(source, audit)
    _check_names(source.name, chosen, audit)
    flagged = _flagged(Path(audited) / FLAGS, source.name, chosen)
    tally = _Tally(chosen)
    cleaned = NegativeSource.from_records(_kept(source, flagged, drop, tally), source.metadata)
    if not cleaned.num_records:
        raise NegauditError(f"source '{source.name}': none of its {tally.records} records would be left; choose fewer checks")
    every = Counter(chosen[at] for by_index in flagged.values() for names in by_index.values() for at in names)
    unchecked = tally.records - int(audit.summary["sources"][source.name]["records"]["scored"])
    done = {"checks": chosen, "drop": drop, "flagged": {check: every[check] for check in chosen}, "unchecked_records": unchecked}
    metadata = replace(
        source.metadata,
        inputs={**source.metadata.inputs, f"source {source.name}": fingerprint, "audited run": str(audit.body["score_hash"])},
        counts=tally.accounts(),
        details={**source.metadata.details, "clean": done},
    )
    return replace(cleaned, metadata=metadata)


@dataclass
class _Tally:
    """What was read and what went, by the check it went for."""

    checks: Sequence[str]
    records: int = 0
    negatives: int = 0
    dropped_records: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def accounts(self) -> dict[str, dict[str, Any]]:
        parts = {"records": (self.records, self.dropped_records), "negatives": (self.negatives, self.dropped)}
        return {what: Account(read, read - gone.total(), gone).as_dict() for what, (read, gone) in parts.items()}


def _kept(source: NegativeSource, flagged: Flagged, drop: Drop, tally: _Tally) -> Iterator[Record]:
    for row, record in enumerate(source.records()):
        found = flagged.get(row, {})
        tally.records += 1
        tally.negatives += len(record.negatives)
        if found and drop == "records":
            tally.dropped_records[tally.checks[min(chain(*found.values()))]] += 1
            tally.dropped["in_dropped_record"] += len(record.negatives)
            continue
        tally.dropped.update(tally.checks[min(names)] for names in found.values())
        left = tuple(negative for index, negative in enumerate(record.negatives) if index not in found)
        if left:
            yield replace(record, negatives=left)
        else:
            tally.dropped_records["no_negative_left" if record.negatives else "no_negatives"] += 1


def _same_file(source: NegativeSource, audit: AuditResult) -> str:
    """Return the fingerprint of the source; raises NegauditError unless it is the one that was audited under its name."""
    if source.name not in audit.body["sources"]:
        raise unknown_name("source in this audit", source.name, audit.body["sources"])
    fingerprint = source.fingerprint()
    if fingerprint != audit.body["sources"][source.name].get("fingerprint"):
        raise NegauditError(
            f"source '{source.name}': the audit is of other records under that name; give the file that was audited, or audit this one"
        )
    return fingerprint


def _check_names(source: str, chosen: Sequence[str], audit: AuditResult) -> None:
    known = audit.body["sources"][source]["checks"]
    if not chosen:
        raise NegauditError(f"no check is named; choose among those that were run: {', '.join(sorted(known)) or 'none'}")
    for name in chosen:
        if name not in known:
            raise unknown_name("check in this audit", name, known)
        if known[name]["severity"] == "not_run":
            raise NegauditError(f"check {name} was not run on '{source}' ({known[name].get('reason')}), so it flagged nothing")


def _flagged(path: Path, source: str, chosen: Sequence[str]) -> Flagged:
    try:
        table = pl.read_parquet(path, columns=["source", "record", "negative_index", "check"])
    except (OSError, pl.exceptions.PolarsError) as error:
        raise NegauditError(f"{path}: cannot be read ({str(error).partition(chr(10))[0]}); audit the source again") from error
    rows = table.filter((pl.col("source") == source) & pl.col("check").is_in(list(chosen)))
    found: dict[int, dict[int, list[int]]] = {}
    for record, index, check in rows.select("record", "negative_index", "check").iter_rows():
        found.setdefault(record, {}).setdefault(index, []).append(chosen.index(check))
    return found
