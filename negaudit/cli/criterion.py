"""`negaudit criterion`: which weightings rank every control below every genuine source, under one or several encoders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import negaudit
from negaudit.cli.options import AsJson, OutFile, Overwrite, Quiet
from negaudit.cli.output import Output, simple_table
from negaudit.cli.overwriting import to_be_written
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from rich.console import RenderableType


def criterion(
    runs: Annotated[list[str], typer.Argument(metavar="[NAME=]DIR…", help="Folders that `score` or `audit` wrote, one for each encoder.")],
    *,
    out: OutFile,
    weighting: Annotated[str, typer.Option("--weighting", help="The score that the ranking of all sources is by.")] = "composite",
    genuine: Annotated[
        list[str] | None, typer.Option("--genuine", metavar="NAME", help="A source known to be good. Repeat for more.")
    ] = None,
    control: Annotated[
        list[str] | None, typer.Option("--control", metavar="NAME", help="A source built to be bad. Repeat for more.")
    ] = None,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say for every weighting whether all controls rank below all genuine sources and which break it, and rank all sources."""
    output = Output(as_json=as_json, quiet=quiet)
    if to_be_written(out, overwrite):
        body = negaudit.criterion(_summaries(runs), weighting=weighting, genuine=genuine or (), controls=control or (), out=out)
    else:
        body = negaudit.load_criterion(out)
        output.note(f"kept {out}, which exists")
    output.result(body, lambda: _tables(body), out)


def _summaries(words: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the scored runs by name; each word is NAME=DIR, or a DIR that is named by its last part."""
    found: dict[str, dict[str, Any]] = {}
    for word in words:
        name, equals, folder = word.partition("=")
        if not equals or Path(word).exists():
            name, folder = Path(word).resolve().name, word
        if name in found:
            raise NegauditError(f"two runs are named '{name}'; give one of them another name (NAME=DIR)")
        found[name] = negaudit.load_score(Path(folder)).summary
    return found


def _tables(body: dict[str, Any]) -> RenderableType:
    from rich.console import Group

    runs = list(body["ranking"][0]["scores"])
    every = list(dict.fromkeys(run for by_run in body["criterion"].values() for run in by_run))
    verdicts = [(variant, *(_said(by_run.get(run)) for run in every)) for variant, by_run in body["criterion"].items()]
    places = [
        (row["source"], row["role"], *(f"{row['scores'][run]:.4f} ({row['ranks'][run]})" for run in runs), float(row["mean_rank"]))
        for row in body["ranking"]
    ]
    return Group(
        simple_table("every control below every genuine source?", ("weighting", *every), verdicts),
        simple_table(f"all sources by {body['weighting']}, rank in parentheses", ("source", "role", *runs, "mean rank"), places),
    )


def _said(found: dict[str, Any] | None) -> str:
    if found is None:
        return "n/a"
    return "yes" if found["holds"] else f"no: {', '.join(found['violators'])}"
