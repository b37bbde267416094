"""`negaudit compare`: scored sources side by side, or statistics against measured transfer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import negaudit
from negaudit.cli.comparing import AsForm, OutElsewhere, Replace, Replicates, kept_or_made, show
from negaudit.cli.options import AsJson, Quiet, Seed
from negaudit.cli.output import Output
from negaudit.errors import NegauditError


def compare(
    folders: Annotated[
        list[str] | None,
        typer.Argument(metavar="DIR…", help="Folders that `negaudit score` wrote; with --transfer BACKBONE=DIR, one or more per backbone."),
    ] = None,
    *,
    transfer: Annotated[
        Path | None,
        typer.Option("--transfer", metavar="FILE", help="Measured transfer: backbone, setting, source, dataset, ndcg@10 (CSV)."),
    ] = None,
    statistics: Annotated[
        list[Path] | None,
        typer.Option(
            "--statistics", metavar="FILE", help="Statistics: backbone, setting, source, statistic, value (CSV). Repeat for more."
        ),
    ] = None,
    out: OutElsewhere = None,
    replicates: Replicates = 1000,
    seed: Seed = 42,
    form: AsForm = "table",
    overwrite: Replace = "always",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Put scored sources side by side with intervals and ties; with --transfer, say which statistics order them as transfer does."""
    output = Output(as_json=as_json, quiet=quiet)
    words = folders or []
    if transfer is None:
        if statistics:
            raise NegauditError("--statistics needs --transfer FILE to be held against")
        places = _plain(words)
        body, path = kept_or_made(
            _home(out, places),
            "negaudit.compare/1",
            overwrite,
            lambda: negaudit.compare(places, replicates=replicates, seed=seed),
            output,
        )
    else:
        runs = _by_backbone(words)
        body, path = kept_or_made(
            out or Path(),
            "negaudit.agreement/1",
            overwrite,
            lambda: negaudit.agreement(transfer, runs=runs, statistics=statistics or ()),
            output,
        )
    show(body, path, form if not (as_json or quiet) else "table", output)


def _plain(words: Sequence[str]) -> list[Path]:
    for word in words:
        if "=" in word and not Path(word).exists():
            raise NegauditError(f"{word}: BACKBONE=DIR is for --transfer FILE; to compare sources give folders alone")
    if not words:
        raise NegauditError("there is nothing to compare; give a folder that `negaudit score` wrote, or --transfer with --statistics")
    return [Path(word) for word in words]


def _home(out: Path | None, places: Sequence[Path]) -> Path:
    if out is None and len(places) > 1:
        raise NegauditError("the result of several folders needs a place of its own; give --out DIR")
    return out or places[0]


def _by_backbone(words: Sequence[str]) -> dict[str, list[Path]]:
    runs: dict[str, list[Path]] = {}
    for word in words:
        backbone, equals, folder = word.partition("=")
        if not (equals and backbone and folder):
            raise NegauditError(f"{word}: with --transfer each folder needs the backbone that its table names; give BACKBONE={word}")
        runs.setdefault(backbone, []).append(Path(folder))
    return runs
