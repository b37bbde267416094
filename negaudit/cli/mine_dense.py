"""`negaudit mine dense`: each query's nearest passages by a frozen encoder."""

from __future__ import annotations

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
from negaudit.cli.options import (
    AsJson,
    Cache,
    Corpus,
    Dataset,
    Device,
    Dims,
    Encoder,
    K,
    MaxLength,
    MinedOut,
    MinRelevance,
    Overwrite,
    PassagePrefix,
    Precision,
    Qrels,
    Queries,
    QueryPrefix,
    Quiet,
    Seed,
    Similarity,
    Split,
)
from negaudit.cli.output import Output


def dense(
    dataset: Dataset = None,
    *,
    out: MinedOut = None,
    k: K = 10,
    split: Split = "test",
    min_relevance: MinRelevance = 1,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    encoder: Encoder = None,
    max_length: MaxLength = 128,
    query_prefix: QueryPrefix = None,
    passage_prefix: PassagePrefix = None,
    similarity: Similarity = "cosine",
    dims: Dims = None,
    device: Device = "auto",
    precision: Precision = "fp32",
    cache: Cache = None,
    search: Annotated[
        Literal["exact", "faiss"], typer.Option("--search", help="Exact, or by an approximate index whose recall is measured and kept.")
    ] = "exact",
    block_size: Annotated[
        int, typer.Option("--block-size", min=1, help="Passages searched at once: bounds the memory, changes no result.")
    ] = 16_384,
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
    """Take each query's top K by the frozen encoder, after every labelled positive is removed by id and by text, through the filters."""
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
    frozen = negaudit.load_encoder(
        encoder,
        max_length=max_length,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        similarity=similarity,
        dims=dims,
        device=device,
        precision=precision,
        cache=cache,
    )
    output.note(f"{frozen.contract.model}: {frozen.prefixes}")
    scorer = named_cross_encoder(cross_encoder, device)
    common: dict[str, Any] = {"encoder": frozen, "k": k, "min_relevance": min_relevance, "filters": filters, "cross_encoder": scorer}
    with output.progress() as progress:
        if sweep_margin is not None:
            return report_sweep(output, negaudit.sweep_margins(collection, margins(sweep_margin), progress=progress, **common))
        source = negaudit.mine_dense(collection, search=search, block_size=block_size, out=out, progress=progress, **common)
    return report_source(output, source, collection)
