"""What the `mine` commands say: the accounts of a mined source, and the yields of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import negaudit
from negaudit.cli.output import Output, accounts_table, simple_table
from negaudit.cli.overwriting import Overwrite, to_be_written
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import Collection, MarginYield, NegativeSource


def wanted(out: Path | None, overwrite: Overwrite) -> bool:
    """Return whether the output is to be made, not where it is there and is kept; raises NegauditError where no --out was given."""
    if out is None:
        raise NegauditError("missing option --out: where is the source to be written? (only --sweep-margin writes nothing)")
    return to_be_written(out, overwrite)


def report_source(output: Output, source: NegativeSource, collection: Collection | None = None, *, kept: bool = False) -> None:
    """Print what lies in a source's file: mined just now (from `collection`, where it was from one), or left by an earlier run and kept."""
    metadata, out = source.metadata, Path(str(source.content))
    accounts = {what: account.as_dict() for what, account in collection.accounts.items()} if collection else None
    read = {f"collection: {what}": account for what, account in (accounts or {}).items()}
    body = {
        "out": str(out),
        "kept": kept,
        "name": source.name,
        "records": source.num_records,
        "collection": accounts,
        "origins": dict(metadata.origins),
        "inputs": dict(metadata.inputs),
        "counts": dict(metadata.counts),
        "details": dict(metadata.details),
    }
    output.result(body, lambda: accounts_table(f"{source.name}: {source.num_records:,} records", {**read, **metadata.counts}), out)
    if kept:
        output.note(f"kept {out}, which exists")
    _report_shortfall(output, source)


def _report_shortfall(output: Output, source: NegativeSource) -> None:
    details = source.metadata.details
    short, kept, faiss = (details.get(key, {}) for key in ("short_records", "yield", "faiss"))
    if short.get("records"):
        output.note(f"{short['records']:,} records have fewer negatives than asked for; {short['missing_negatives']:,} are missing in all")
    if kept.get("share", 1) < 1:
        output.note(f"yield: {kept['kept']:,} of {kept['asked']:,} negatives ({kept['share']:.1%})")
    if details.get("repeats"):
        output.note(f"{details['repeats']:,} negatives repeat a text of their record; --drop-repeats leaves them out")
    if faiss.get("recall") is not None:
        output.note(f"FAISS found {faiss['recall']:.2%} of the exact {faiss['depth']} best, measured on {faiss['queries']} queries")


def kept_source(output: Output, out: Path | None) -> None:
    """Print what an earlier run left at `out`."""
    if out is not None:
        report_source(output, negaudit.NegativeSource.from_parquet(out), kept=True)


def report_sweep(output: Output, yields: Sequence[MarginYield]) -> None:
    """Print what each margin would keep."""
    reasons = sorted({reason for one in yields for reason, count in one.negatives.rejected.items() if count})
    columns = ("relative margin", "read", "kept", *reasons, "yield", "full records")
    rows = [
        (
            f"{one.margin:g}",
            one.negatives.read,
            one.negatives.used,
            *(one.negatives.rejected.get(reason, 0) for reason in reasons),
            f"{one.share:.1%}",
            one.full,
        )
        for one in yields
    ]
    title = f"{len(yields[0].records):,} records of up to {yields[0].k} negatives; nothing was written"
    output.document({"margins": [one.as_dict() for one in yields]}, lambda: simple_table(title, columns, rows))
