"""`negaudit report`: the review of a finished run, or what changed between two, made again from files alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import negaudit
from negaudit.cli.options import AsJson, Quiet
from negaudit.cli.output import Output


def report(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `negaudit audit` (or `negaudit score`) wrote.")],
    later: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="A later run, to say what changed since the first.")] = None,
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the files are written; beside the run if left out.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write report.html and report.md of a run from its files alone; of two runs that were measured alike, changes.html and changes.md."""
    output = Output(as_json=as_json, quiet=quiet)
    if later is None:
        made = negaudit.report(run, out=out)
        output.result(made.decision.as_dict(), lambda: negaudit.run_review(made.run), made.html)
        return
    compared = negaudit.report_changes(run, later, out=out)
    output.result(compared.changes.as_dict(), lambda: negaudit.changes_table(compared.changes), compared.html)
