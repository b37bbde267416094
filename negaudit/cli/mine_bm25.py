"""`negaudit mine bm25`: each query's best passages by BM25."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import negaudit
from negaudit.cli.filtering import (
    CrossEncoderName,
    Depth,
    DropRepeats,
    Margin,
    MaxScore,
    MinScore,
    NearDuplicate,
    Ranks,
    RelativeMargin,
    RequireK,
    Sampling,
    SweepMargin,
    Temperature,
    candidate_filters,
    margins,
    named_cross_encoder,
)
from negaudit.cli.inputs import open_dataset
from negaudit.cli.mined import kept_source, report_source, report_sweep, wanted
from negaudit.cli.options import AsJson, Corpus, Dataset, K, MinedOut, MinRelevance, Overwrite, Qrels, Queries, Quiet, Seed, Split
from negaudit.cli.output import Output

Cache = Annotated[Path | None, typer.Option("--cache", help="Where the index is kept; the user's cache folder if left out.")]


def bm25(
    dataset: Dataset = None,
    *,
    out: MinedOut = None,
    k: K = 10,
    split: Split = "test",
    min_relevance: MinRelevance = 1,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    tokenizer: Annotated[str, typer.Option("--tokenizer", help="What a token is.")] = "alnum",
    k1: Annotated[float, typer.Option("--k1", help="How soon a repeated term stops to count.")] = 1.5,
    b: Annotated[float, typer.Option("--b", help="How much a long passage is held back.")] = 0.75,
    method: Annotated[Literal["lucene", "robertson", "atire"], typer.Option("--method", help="The variant of BM25's formula.")] = "lucene",
    cache: Cache = None,
    near_duplicate: NearDuplicate = None,
    drop_repeats: DropRepeats = False,
    ranks: Ranks = None,
    depth: Depth = None,
    cross_encoder: CrossEncoderName = None,
    max_score: MaxScore = None,
    min_score: MinScore = None,
    margin: Margin = None,
    relative_margin: RelativeMargin = None,
    sampling: Sampling = "top",
    temperature: Temperature = 1.0,
    seed: Seed = 42,
    require_k: RequireK = False,
    sweep_margin: SweepMargin = None,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Take each query's top K by BM25, after every labelled positive is removed by id and by text, and through the filters asked for."""
    output = Output(as_json=as_json, quiet=quiet)
    if sweep_margin is None and not wanted(out, overwrite):
        return kept_source(output, out)
    filters = candidate_filters(
        near_duplicate=near_duplicate,
        drop_repeats=drop_repeats,
        ranks=ranks,
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
    collection = open_dataset(dataset, corpus, queries, qrels, split)
    common: dict[str, Any] = {
        "k": k,
        "min_relevance": min_relevance,
        "filters": filters,
        "cross_encoder": named_cross_encoder(cross_encoder),
        "cache": cache or negaudit.default_cache_root(),
    }
    with output.progress() as progress:
        if sweep_margin is not None:
            parameters = negaudit.Bm25Parameters(method, k1, b, tokenizer)
            yields = negaudit.sweep_margins(collection, margins(sweep_margin), bm25=parameters, progress=progress, **common)
            return report_sweep(output, yields)
        source = negaudit.mine_bm25(collection, method=method, k1=k1, b=b, tokenizer=tokenizer, out=out, progress=progress, **common)
    return report_source(output, source, collection)
