"""`negaudit audit`: hold sources against the genuine ones and say which can be used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import negaudit
from negaudit.cli.inputs import open_lookup, open_sources
from negaudit.cli.options import (
    AsJson,
    Cache,
    Corpus,
    Device,
    FormatName,
    InDataset,
    MaxLength,
    OutFolder,
    Overwrite,
    PassagePrefix,
    Precision,
    Qrels,
    Queries,
    QueryPrefix,
    Quiet,
    Seed,
    Source,
    Split,
)
from negaudit.cli.output import Output
from negaudit.cli.overwriting import to_be_written
from negaudit.cli.scoring import Idf, Replicates, Sample, ScoreEncoder, Tau, TokenizerName, named_encoder, score_config

FLAGGED = 1


def audit(
    *,
    source: Source,
    out: OutFolder,
    genuine: Annotated[
        list[str] | None,
        typer.Option("--genuine", metavar="NAME", help="A source known to be good; together they make the envelope. Repeat for more."),
    ] = None,
    control: Annotated[
        list[str] | None,
        typer.Option("--control", metavar="NAME", help="A source built to be bad, whatever its file says. Repeat for more."),
    ] = None,
    encoder: ScoreEncoder = None,
    tokenizer: TokenizerName = "alnum",
    idf: Idf = "pooled",
    tau: Tau = 0.05,
    sample: Sample = "25000",
    replicates: Replicates = 1000,
    seed: Seed = 42,
    max_length: MaxLength = 128,
    query_prefix: QueryPrefix = None,
    passage_prefix: PassagePrefix = None,
    device: Device = "auto",
    precision: Precision = "fp32",
    cache: Cache = None,
    format_name: FormatName = None,
    dataset: InDataset = None,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    split: Split = "test",
    reference: Annotated[
        Path | None,
        typer.Option(
            "--reference",
            metavar="FILE",
            help="The envelope.parquet of an earlier audit (or its folder) to hold sources against; brings its idf along.",
        ),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", metavar="FILE", help="Thresholds of the checks: default, strict, or a TOML file on top of default.")
    ] = "default",
    fail_on: Annotated[
        Literal["warn", "error", "never"],
        typer.Option(
            "--fail-on", help="Leave with exit code 1 where a source that is no control has a finding of this severity, or never."
        ),
    ] = "error",
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Score sources, flag what lies outside the envelope of the genuine ones, and say which can be used; exit code 1 as --fail-on says."""
    output = Output(as_json=as_json, quiet=quiet)
    config = score_config(tokenizer, idf, tau, sample, seed, replicates)
    if not to_be_written(out / "audit.json", overwrite):
        result = negaudit.load_audit(out)
        output.note(f"kept {out / 'audit.json'}, which exists")
    else:
        given = open_lookup(dataset, corpus, queries, qrels, split)
        collection = given if isinstance(given, negaudit.Collection) else None
        sources = open_sources(source, given, out / "rejects.jsonl", format_name)
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
            result = negaudit.audit(
                sources,
                genuine=genuine or (),
                controls=control or (),
                encoder=frozen,
                config=config,
                reference=reference,
                collection=collection,
                profile=profile,
                out=out,
                report=progress,
            )
        negaudit.report(out)
    output.result(result.body, lambda: negaudit.review(result.body, result.summary), out)
    if result.failing(fail_on):
        raise typer.Exit(FLAGGED)
