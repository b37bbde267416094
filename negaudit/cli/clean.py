"""`negaudit clean`: write a source without what chosen checks of an audit flagged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import negaudit
from negaudit.cli.inputs import open_lookup, open_sources
from negaudit.cli.options import AsJson, Corpus, InDataset, OutFile, Overwrite, Qrels, Queries, Quiet, Split
from negaudit.cli.output import Output, accounts_table
from negaudit.cli.overwriting import to_be_written
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import Collection, Lookup, NegativeSource


def clean(
    audited: Annotated[Path, typer.Argument(metavar="AUDIT_DIR", help="The folder that `negaudit audit` wrote.")],
    *,
    source: Annotated[str, typer.Option("--source", metavar="NAME=FILE", help="The audited file, under its name in the audit.")],
    checks: Annotated[
        list[str], typer.Option("--checks", metavar="CHECK,CHECK…", help="The checks whose flags count. Repeat, or separate by commas.")
    ],
    out: OutFile,
    drop: Annotated[
        Literal["negatives", "records"],
        typer.Option("--drop", help="Take out the flagged negatives (and records left with none), or every record that holds one."),
    ] = "negatives",
    dataset: InDataset = None,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    split: Split = "test",
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a source without what the named checks flagged in it, and account for what went and why."""
    output = Output(as_json=as_json, quiet=quiet)
    names = [name.strip() for word in checks for name in word.split(",") if name.strip()]
    if to_be_written(out, overwrite):
        given = _one_source(source, open_lookup(dataset, corpus, queries, qrels, split))
        if given.replaced:
            output.note(f"{given.name} is a control; what is left of it is no source to train on")
        cleaned = negaudit.clean(given, audited, checks=names, drop=drop)
        negaudit.write_source(cleaned, out)
    else:
        cleaned = negaudit.NegativeSource.from_parquet(out)
        if "clean" not in cleaned.metadata.details:
            raise NegauditError(f"{out} exists and was not written by clean; move it away, or --overwrite always replaces it")
        output.note(f"kept {out}, which exists")
    done, counts = cleaned.metadata.details["clean"], cleaned.metadata.counts
    if done["unchecked_records"]:
        output.note(f"{done['unchecked_records']:,} records were not in the audit's sample and stay as they are; --sample all looks at all")
    output.result({"out": str(out), **done, "counts": dict(counts)}, lambda: accounts_table(", ".join(done["checks"]), counts), out)


def _one_source(word: str, given: Collection | Lookup | None) -> NegativeSource:
    sources = open_sources([word], given)
    if len(sources) > 1:
        raise NegauditError(f"--source {word} holds several sources ({', '.join(sources)}); take one with FILE#SYSTEM")
    return next(iter(sources.values()))
