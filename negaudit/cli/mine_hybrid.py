"""`negaudit mine hybrid`: several sources in one, each negative with its origin."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import negaudit
from negaudit.cli.inputs import open_sources
from negaudit.cli.mined import kept_source, report_source
from negaudit.cli.options import AsJson, OutFile, Overwrite, Quiet
from negaudit.cli.output import Output
from negaudit.cli.overwriting import to_be_written


def hybrid(
    sources: Annotated[list[str], typer.Argument(metavar="[NAME=]FILE…", help="Two or more negative sources for the same queries.")],
    *,
    out: OutFile,
    k: Annotated[int | None, typer.Option("--k", min=1, help="Negatives from each source; all if left out.")] = None,
    total: Annotated[int | None, typer.Option("--total", min=1, help="Negatives in all, taken from the sources in turn.")] = None,
    unmatched: Annotated[
        Literal["keep", "drop"], typer.Option("--unmatched", help="What becomes of queries that not every source has.")
    ] = "keep",
    require_total: Annotated[bool, typer.Option("--require-total", help="Drop records that cannot be filled up to --total.")] = False,
    name: Annotated[str, typer.Option("--name", help="The name of the source that is made.")] = "hybrid",
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Unite sources query by query: K from each, or a budget that equals a single source's; copies are merged and counted."""
    output = Output(as_json=as_json, quiet=quiet)
    if not to_be_written(out, overwrite):
        return kept_source(output, out)
    made = negaudit.mine_hybrid(open_sources(sources), k=k, total=total, unmatched=unmatched, require_total=require_total, name=name)
    return report_source(output, negaudit.NegativeSource.from_parquet(negaudit.write_source(made, out), name))
