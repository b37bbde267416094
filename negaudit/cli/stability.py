"""`negaudit stability`: how many records it takes until the order of the sources stops changing."""

from __future__ import annotations

from typing import Annotated

import typer

import negaudit
from negaudit.cli.comparing import AsForm, Names, OutElsewhere, Replace, ScoredFolder, kept_or_made, show
from negaudit.cli.options import AsJson, Quiet, Seed
from negaudit.cli.output import Output


def stability(
    folder: ScoredFolder,
    *,
    source: Names = None,
    statistic: Annotated[
        list[str] | None,
        typer.Option(
            "--statistic", metavar="NAME", help="A statistic to order by; the profile and the composite if left out. Repeat for more."
        ),
    ] = None,
    repetitions: Annotated[
        int, typer.Option("--repetitions", min=1, help="Random orders of the queries that the curve is drawn from.")
    ] = 200,
    out: OutElsewhere = None,
    seed: Seed = 42,
    form: AsForm = "table",
    overwrite: Replace = "always",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Order the sources at 25, 50, 75 and 100 % of the sample, and say how many records it takes until the order stops changing."""
    output = Output(as_json=as_json, quiet=quiet)
    config = negaudit.StabilityConfig(repetitions, seed)
    body, path = kept_or_made(
        out or folder,
        "negaudit.stability/1",
        overwrite,
        lambda: negaudit.stability(folder, source, statistics=statistic, config=config),
        output,
    )
    show(body, path, form if not (as_json or quiet) else "table", output)
