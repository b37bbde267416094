"""What the commands that compare share: their options, and how a document of theirs is kept and printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import negaudit
from negaudit.cli.output import Output, simple_table
from negaudit.cli.overwriting import to_be_written

if TYPE_CHECKING:
    from rich.console import Group

Form = Literal["table", "md", "csv", "latex"]
ScoredFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `negaudit score` wrote.")]
Names = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="NAME", help="A source of DIR to take in; all but controls if left out. Repeat for more."),
]
AsForm = Annotated[Form, typer.Option("--format", help="How the result is printed: for a terminal, Markdown, CSV or LaTeX.")]
OutElsewhere = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The folder that the result is written to; that of the scores if left out.")
]
# Made from the scores alone and in seconds, so a result that is there is replaced.
Replace = Annotated[
    Literal["never", "missing", "always"],
    typer.Option("--overwrite", help="What to do where the result exists: refuse, keep and print it, or replace it."),
]
Replicates = Annotated[int, typer.Option("--replicates", min=0, help="Bootstrap replicates of the 95 % intervals; 0 for none.")]


def kept_or_made(
    folder: Path, schema: str, overwrite: Literal["never", "missing", "always"], make: Callable[[], dict[str, Any]], output: Output
) -> tuple[dict[str, Any], Path]:
    """Return the document of `schema` in `folder`, made and written unless it is there and is to be kept, and its path."""
    path = folder / f"{schema.split('/')[0].split('.')[1]}.json"
    if to_be_written(path, overwrite):
        body = make()
        return body, negaudit.write_comparison(body, folder)
    output.note(f"kept {path}, which exists")
    return negaudit.load_comparison(folder, schema), path


def show(body: Mapping[str, Any], path: Path, form: Form, output: Output) -> None:
    """Print a document as the options ask for, the tables of Markdown, CSV or LaTeX with nothing else around them."""
    if form == "table":
        output.result(body, lambda: tables(body), path)
    else:
        print(negaudit.rendered(negaudit.comparison_grids(body, tidy=form == "csv"), form), end="")
        output.note(f"written to {path}")


def tables(body: Mapping[str, Any]) -> Group:
    """Return a document's tables for the terminal, each with its notes."""
    from rich.console import Group
    from rich.text import Text

    grids = negaudit.comparison_grids(body)
    parts = [[simple_table(g.title, g.columns, g.text()), *(Text(note) for note in g.notes)] for g in grids if g.rows or g.notes]
    return Group(*(part for grid in parts for part in grid))
