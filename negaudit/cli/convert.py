"""`negaudit convert`: a file of negatives in another format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import negaudit
from negaudit.cli.inputs import keep_apart, open_lookup, say_rejects
from negaudit.cli.options import (
    AsJson,
    Corpus,
    FormatName,
    InDataset,
    MinRelevance,
    OutFile,
    Overwrite,
    Qrels,
    Queries,
    Quiet,
    RejectsFile,
    Split,
    Strict,
)
from negaudit.cli.output import Output, simple_table
from negaudit.cli.overwriting import to_be_written
from negaudit.errors import NegauditError

TARGETS = "negaudit|st-triplet|st-ntuple|st-labeled-list|flagembedding|tevatron"


def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of negatives in any known format; FILE#SYSTEM takes one system.")],
    *,
    to: Annotated[str, typer.Option("--to", metavar=TARGETS, help="The format to write.")],
    out: OutFile,
    k: Annotated[int | None, typer.Option("--k", min=1, help="Negatives per query: of a run the best K, of n-tuples the first K.")] = None,
    ranks: Annotated[str | None, typer.Option("--ranks", metavar="LOW-HIGH", help="Of a run, the band of ranks to take from.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="The source's name; the file's stem if left out.")] = None,
    format_name: FormatName = None,
    dataset: InDataset = None,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    split: Split = "test",
    min_relevance: MinRelevance = 1,
    rejects: RejectsFile = Path("rejects.jsonl"),
    strict: Strict = False,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a file of negatives in another format; ids, scores and origins are kept where it has a place for them, the rest is counted."""
    output = Output(as_json=as_json, quiet=quiet)
    keep_apart(rejects, file, str(out))
    if not to_be_written(out, overwrite):
        return output.result({"out": str(out), "kept": True}, lambda: f"kept {out}, which exists", out)
    found = open_lookup(dataset, corpus, queries, qrels, split)
    lookup = negaudit.Lookup() if found is None else found if isinstance(found, negaudit.Lookup) else negaudit.Lookup.of(found)
    lookup = replace(lookup, k=k, ranks=_band(ranks), min_relevance=min_relevance)
    with negaudit.Rejects(rejects, strict=strict) as put_aside:
        done = negaudit.convert(file, to, out, k=k, format=format_name, collection=lookup, rejects=put_aside, name=name)
    if not quiet:
        say_rejects(put_aside)
    return output.result(done.body, lambda: simple_table(f"{done.body['from']} to {to}", ("", ""), _rows(done.body)), out)


def _band(ranks: str | None) -> tuple[int, int] | None:
    if ranks is None:
        return None
    low, dash, high = ranks.partition("-")
    if not dash or not low.isdigit() or not high.isdigit() or not 1 <= int(low) <= int(high):
        raise NegauditError(f"--ranks {ranks}: expected LOW-HIGH, two ranks from 1 on, such as 10-50")
    return int(low), int(high)


def _rows(body: dict[str, Any]) -> list[tuple[str, str]]:
    records = body["records"]
    rows = [("records read", f"{records['read']:,}"), ("records used", f"{records['used']:,}"), ("rows written", f"{body['rows']:,}")]
    rows += [(f"lost: {what.replace('_', ' ')}", f"{count:,}") for what, count in body["lost"].items()]
    rows += [(f"not read: {what}", f"{count:,}") for what, count in body["fields_left_out"].items()]
    rows += [
        (f"left out: {what}, {reason.replace('_', ' ')}", f"{count:,}")
        for what, reasons in body["passages_left_out"].items()
        for reason, count in reasons.items()
    ]
    if body["run"]:
        depth = body["run"]["depth"]
        rows += [("run: depth", f"{depth['min']:,} to {depth['max']:,}"), ("run: neighbours with equal scores", f"{body['run']['ties']:,}")]
    return rows
