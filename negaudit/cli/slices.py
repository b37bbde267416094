"""`negaudit slices`: sources compared within parts of their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import negaudit
from negaudit.cli.comparing import AsForm, OutElsewhere, Replace, Replicates, ScoredFolder, kept_or_made, show
from negaudit.cli.options import AsJson, Quiet, Seed
from negaudit.cli.output import Output
from negaudit.errors import NegauditError


def slices(
    folder: ScoredFolder,
    *,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            help="origin, position (in the list), rank, query_length or question_word; the last three need --source. Repeat for more.",
        ),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source", metavar="NAME=FILE", help="The file that a source of DIR was scored from: queries and ranks. Repeat for more."
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="A table (CSV or Parquet) with query_id or negative_id (also source, negative_index) and columns.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option("--column", metavar="NAME", help="A column of the table to slice by. Repeat for more.")
    ] = None,
    out: OutElsewhere = None,
    replicates: Replicates = 1000,
    seed: Seed = 42,
    form: AsForm = "table",
    overwrite: Replace = "always",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare sources slice by slice, and warn where a slice reverses the overall order."""
    output = Output(as_json=as_json, quiet=quiet)
    chosen = by or ([] if column else ["origin", "position"])
    files = dict(_file(word) for word in _distinct(source or ()))
    body, path = kept_or_made(
        out or folder,
        "negaudit.slices/1",
        overwrite,
        lambda: negaudit.slices(folder, chosen, files=files, table=table, columns=column or (), replicates=replicates, seed=seed),
        output,
    )
    show(body, path, form if not (as_json or quiet) else "table", output)


def _file(word: str) -> tuple[str, Path]:
    name, equals, file = word.partition("=")
    return (name, Path(file)) if equals and not Path(word).exists() else (Path(word).stem, Path(word))


def _distinct(words: Sequence[str]) -> Sequence[str]:
    names = [_file(word)[0] for word in words]
    for name in names:
        if names.count(name) > 1:
            raise NegauditError(f"--source: two files are named '{name}'; give each its own NAME=FILE")
    return words
