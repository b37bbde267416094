"""Negatives of your own, measured without an encoder, repaired, and compared with before: python examples/own_negatives.py [OUT]."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import negaudit
from negaudit.data.metadata import SourceMetadata
from negaudit.resources import resource


def main(out: Path) -> negaudit.ChangesReport:
    """Score a hand-made source before and after a repair, write both runs and what changed to `out`, and return the change."""
    collection = negaudit.open_collection(resource("scifact"), split="test")
    records = list(negaudit.mine_bm25(collection, k=4).records())
    faulty = source(with_own_positives(records))
    repaired = source(without_own_positives(faulty.records()))

    negaudit.audit({"mine": faulty}, genuine=["mine"], out=out / "before")
    # The idf of the first run: only then do the two compare, since the repair changed the documents that idf is counted over.
    config = negaudit.ScoreConfig(idf=f"saved:{out / 'before'}")
    negaudit.audit({"mine": repaired}, genuine=["mine"], config=config, out=out / "after")
    change = negaudit.report_changes(out / "before", out / "after")
    for shift in change.changes.shifts:
        print(f"{shift.source}: {shift.statistic} was {shift.before:.3f}, is {shift.after:.3f}")
    print(f"Open {change.html}")
    return change


def source(records: Iterator[negaudit.Record]) -> negaudit.NegativeSource:
    """Return records as a source; its metadata says how it was made."""
    return negaudit.NegativeSource.from_records(records, SourceMetadata("mine", origins={"mine": {"method": "by hand"}}))


def with_own_positives(records: list[negaudit.Record]) -> Iterator[negaudit.Record]:
    """Yield each record with its positive among its negatives: a fault that files from elsewhere do have."""
    for record in records:
        copy = negaudit.Negative(text=record.positives[0], origin="mine")
        yield replace(record, negatives=(copy, *record.negatives[1:]))


def without_own_positives(records: Iterator[negaudit.Record]) -> Iterator[negaudit.Record]:
    """Yield each record without the negatives that are one of its positives."""
    for record in records:
        yield replace(record, negatives=tuple(n for n in record.negatives if n.text not in record.positives))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs"))
