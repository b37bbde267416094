"""`negaudit validate`: what is wrong with files of negatives, without an encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import negaudit
from negaudit.cli.inputs import keep_apart, open_lookup, say_rejects
from negaudit.cli.options import AsJson, Corpus, Files, FormatName, InDataset, Qrels, Queries, Quiet, RejectsFile, Split, Strict
from negaudit.cli.output import Output

FLAGGED = 1


def validate(
    files: Files,
    *,
    format_name: FormatName = None,
    dataset: InDataset = None,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    split: Split = "test",
    rejects: RejectsFile = Path("rejects.jsonl"),
    strict: Strict = False,
    fail_on: Annotated[
        Literal["error", "warn", "never"],
        typer.Option("--fail-on", help="Leave with exit code 1 on a finding at least this bad, or never."),
    ] = "error",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check files of negatives in any known format: counts, ids, texts, repeats, positives among negatives, scores, encoding faults."""
    output = Output(as_json=as_json, quiet=quiet)
    keep_apart(rejects, *files)
    lookup = open_lookup(dataset, corpus, queries, qrels, split)
    with output.progress() as progress, negaudit.Rejects(rejects, strict=strict) as put_aside:
        found = [negaudit.validate(file, format=format_name, collection=lookup, rejects=put_aside, report=progress) for file in files]
    if not quiet:
        say_rejects(put_aside)
    output.result({"files": [one.body for one in found]}, lambda: negaudit.validation_review([one.body for one in found]), None)
    if fail_on != "never" and any(one.flagged(fail_on) for one in found):
        raise typer.Exit(FLAGGED)
