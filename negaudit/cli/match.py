"""`negaudit match`: what an encoder says of sources at equal psi."""

from __future__ import annotations

from typing import Annotated

import typer

import negaudit
from negaudit.cli.comparing import AsForm, Names, OutElsewhere, Replace, Replicates, ScoredFolder, kept_or_made, show
from negaudit.cli.options import AsJson, Quiet, Seed
from negaudit.cli.output import Output
from negaudit.errors import NegauditError


def match(
    folder: ScoredFolder,
    *,
    source: Names = None,
    bins: Annotated[str, typer.Option("--bins", metavar="N,N…", help="Numbers of equal-width bins of psi.")] = "10,20,50",
    repetitions: Annotated[int, typer.Option("--repetitions", min=1, help="How often each resolution is matched.")] = 100,
    out: OutElsewhere = None,
    replicates: Replicates = 1000,
    seed: Seed = 42,
    form: AsForm = "table",
    overwrite: Replace = "always",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare sources at equal psi: matched by bins, by weights that keep every negative, and by regression; nothing is scored again."""
    output = Output(as_json=as_json, quiet=quiet)
    config = negaudit.MatchConfig(_numbers(bins), repetitions, replicates, seed)
    body, path = kept_or_made(out or folder, "negaudit.match/1", overwrite, lambda: negaudit.match(folder, source, config), output)
    show(body, path, form if not (as_json or quiet) else "table", output)


def _numbers(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise NegauditError(f"--bins must be whole numbers separated by commas, got '{text}'")
    return tuple(dict.fromkeys(int(word) for word in words))
