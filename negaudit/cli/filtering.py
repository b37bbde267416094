"""The options of the filters between a ranking and the negatives, shared by the miners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

import negaudit
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import CandidateFilters, CrossEncoder

PANEL = "Filters, in this order"

NearDuplicate = Annotated[
    float | None,
    typer.Option(
        "--near-duplicate",
        metavar="SHARE",
        help="Leave out passages that share so much of their distinct tokens with a positive, or whose embedding is so close to one's.",
        rich_help_panel=PANEL,
    ),
]
DropRepeats = Annotated[
    bool, typer.Option("--drop-repeats", help="Leave out passages whose text came before in the ranking.", rich_help_panel=PANEL)
]
Ranks = Annotated[
    str | None,
    typer.Option("--ranks", metavar="FIRST:LAST", help="Keep this band of the full ranking, counted from 1.", rich_help_panel=PANEL),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        min=1,
        help="How far down a ranking candidates are read; with filters 10 K, at least 100, if left out.",
        rich_help_panel=PANEL,
    ),
]
CrossEncoderName = Annotated[
    str | None,
    typer.Option(
        "--cross-encoder",
        metavar="PATH_OR_ID",
        help="Score the candidates by this model in the miner's place.",
        rich_help_panel=PANEL,
    ),
]
MaxScore = Annotated[float | None, typer.Option("--max-score", help="Keep scores up to this.", rich_help_panel=PANEL)]
MinScore = Annotated[float | None, typer.Option("--min-score", help="Keep scores from this on.", rich_help_panel=PANEL)]
Margin = Annotated[
    float | None, typer.Option("--margin", help="Keep what scores at least so much below the first positive.", rich_help_panel=PANEL)
]
RelativeMargin = Annotated[
    float | None,
    typer.Option(
        "--relative-margin",
        metavar="SHARE",
        help="Keep what scores at most this share of the first positive's score (0.95: 5 % of its size below it).",
        rich_help_panel=PANEL,
    ),
]
Sampling = Annotated[
    Literal["top", "random", "softmax"],
    typer.Option("--sampling", help="Which K of the candidates that are left.", rich_help_panel=PANEL),
]
Temperature = Annotated[
    float, typer.Option("--sampling-temperature", help="Of softmax sampling, in units of the score.", rich_help_panel=PANEL)
]
RequireK = Annotated[bool, typer.Option("--require-k", help="Drop records that keep fewer than K.", rich_help_panel=PANEL)]
SweepMargin = Annotated[
    str | None,
    typer.Option(
        "--sweep-margin",
        metavar="SHARE,SHARE,…",
        help="Print what each relative margin would keep, and write nothing.",
        rich_help_panel=PANEL,
    ),
]


def candidate_filters(
    *,
    near_duplicate: float | None,
    drop_repeats: bool,
    ranks: str | None,
    depth: int | None,
    max_score: float | None,
    min_score: float | None,
    margin: float | None,
    relative_margin: float | None,
    sampling: str,
    temperature: float,
    seed: int,
    require_k: bool,
) -> CandidateFilters:
    """Return the filters that the options give; raises NegauditError for a value out of range."""
    return negaudit.CandidateFilters(
        near_duplicate=near_duplicate,
        drop_repeats=drop_repeats,
        ranks=_band(ranks),
        depth=depth,
        max_score=max_score,
        min_score=min_score,
        margin=margin,
        relative_margin=relative_margin,
        sampling=sampling,
        temperature=temperature,
        seed=seed,
        require_k=require_k,
    )


def named_cross_encoder(word: str | None, device: str = "auto") -> CrossEncoder | None:
    """Return the model that --cross-encoder names, None where it was left out."""
    return None if word is None else negaudit.load_cross_encoder(word, device=device)


def margins(text: str) -> list[float]:
    """Return the numbers of --sweep-margin; raises NegauditError where one is no number."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise NegauditError(f"--sweep-margin is '{text}': expected numbers such as 0.8,0.9,0.95") from error


def _band(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, colon, last = text.partition(":")
    if not (colon and first.isdecimal() and last.isdecimal()):
        raise NegauditError(f"--ranks is '{text}': expected FIRST:LAST, counted from 1, such as 10:50")
    return int(first), int(last)
