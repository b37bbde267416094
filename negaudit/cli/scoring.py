"""What `score` and `audit` share: their options, the encoder that is named, and the settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import negaudit
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import FrozenEncoder, ScoreConfig

PACKAGED = "packaged"

ScoreEncoder = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="PATH_OR_ID",
        help=f"The frozen encoder; '{PACKAGED}' is all-MiniLM-L6-v2. Left out, only the lexical statistics are measured.",
        rich_help_panel="Encoder",
    ),
]
Tau = Annotated[float, typer.Option("--tau", help="Temperature of the gates rho and eta.", rich_help_panel="Statistics")]
TokenizerName = Annotated[
    str,
    typer.Option(
        "--tokenizer", help="What a token is: alnum, alnum2, whitespace, char3, words or stem:LANG.", rich_help_panel="Statistics"
    ),
]
Idf = Annotated[
    str,
    typer.Option(
        "--idf",
        help="Documents that idf counts: pooled, source, pooled+query, uniform, corpus:FILE, or saved:DIR of an earlier run.",
        rich_help_panel="Statistics",
    ),
]
Sample = Annotated[
    str,
    typer.Option(
        "--sample", metavar="N|all", help="Valid records scored per source, the same queries in each.", rich_help_panel="Statistics"
    ),
]
Replicates = Annotated[
    int,
    typer.Option(
        "--replicates", min=0, max=100_000, help="Bootstrap replicates of the 95 % intervals; 0 for none.", rich_help_panel="Statistics"
    ),
]


def score_config(tokenizer: str, idf: str, tau: float, sample: str, seed: int, replicates: int) -> ScoreConfig:
    """Return the settings that the options give; raises NegauditError for a sample that is neither a number nor 'all'."""
    if sample != "all" and not sample.isdecimal():
        raise NegauditError(f"--sample must be a number of records or 'all', got '{sample}'")
    size = None if sample == "all" else int(sample)
    return negaudit.ScoreConfig(tokenizer=tokenizer, idf=idf, tau=tau, sample=size, seed=seed, replicates=replicates)


def named_encoder(
    word: str | None,
    *,
    max_length: int,
    query_prefix: str | None,
    passage_prefix: str | None,
    device: str,
    precision: Literal["fp32", "bf16", "fp16"],
    cache: Path | None,
) -> FrozenEncoder | None:
    """Return the encoder that --encoder names, None where it was left out."""
    if word is None:
        return None
    return negaudit.load_encoder(
        None if word == PACKAGED else word,
        max_length=max_length,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        device=device,
        precision=precision,
        cache=cache,
    )
