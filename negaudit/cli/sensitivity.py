"""`negaudit sensitivity`: what changes with the tokenizer, the idf corpus and tau."""

from __future__ import annotations

from typing import Annotated

import typer

import negaudit
from negaudit.cli.inputs import open_sources
from negaudit.cli.options import (
    AsJson,
    Cache,
    Device,
    MaxLength,
    OutFolder,
    PassagePrefix,
    Precision,
    QueryPrefix,
    Quiet,
    Seed,
    Source,
)
from negaudit.cli.output import Output
from negaudit.cli.scoring import Idf, Sample, ScoreEncoder, Tau, TokenizerName, named_encoder, score_config
from negaudit.errors import NegauditError

Tokenizers = Annotated[
    str, typer.Option("--tokenizers", metavar="A,B,…", help="Tokenizers to try beside the base's.", rich_help_panel="Variants")
]
Idfs = Annotated[str, typer.Option("--idfs", metavar="A,B,…", help="IDF corpora to try.", rich_help_panel="Variants")]
Taus = Annotated[str, typer.Option("--taus", metavar="A,B,…", help="Temperatures to try, with an encoder.", rich_help_panel="Variants")]


def sensitivity(
    *,
    source: Source,
    out: OutFolder,
    encoder: ScoreEncoder = None,
    tokenizers: Tokenizers = "alnum,alnum2,whitespace,char3",
    idfs: Idfs = "pooled,source,pooled+query,uniform",
    taus: Taus = "0.03,0.05,0.1",
    tokenizer: TokenizerName = "alnum",
    idf: Idf = "pooled",
    tau: Tau = 0.05,
    sample: Sample = "5000",
    seed: Seed = 42,
    max_length: MaxLength = 128,
    query_prefix: QueryPrefix = None,
    passage_prefix: PassagePrefix = None,
    device: Device = "auto",
    precision: Precision = "fp32",
    cache: Cache = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Vary the tokenizer, the idf corpus and tau, one at a time, and say whether the order of the sources stands."""
    output = Output(as_json=as_json, quiet=quiet)
    config = score_config(tokenizer, idf, tau, sample, seed, 0)
    variants = negaudit.Variants(_words(tokenizers), _words(idfs), _numbers(taus))
    sources = open_sources(source)
    frozen = named_encoder(
        encoder,
        max_length=max_length,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        device=device,
        precision=precision,
        cache=cache,
    )
    with output.progress() as progress:
        body = negaudit.sensitivity(sources, encoder=frozen, config=config, variants=variants, out=out, report=progress)
    output.result(body, lambda: negaudit.sensitivity_table(body), out)


def _words(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",") if word.strip()]


def _numbers(listed: str) -> list[float]:
    try:
        return [float(word) for word in _words(listed)]
    except ValueError as error:
        raise NegauditError(f"--taus must be numbers between commas, got '{listed}'") from error
