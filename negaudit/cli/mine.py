"""`negaudit mine`: negative sources from a collection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import negaudit
from negaudit.cli import mine_llm
from negaudit.cli.inputs import open_dataset
from negaudit.cli.options import (
    AsJson,
    Cache,
    Corpus,
    Dataset,
    Device,
    Encoder,
    MaxLength,
    MinRelevance,
    OutFile,
    Overwrite,
    PassagePrefix,
    Precision,
    Qrels,
    Queries,
    QueryPrefix,
    Quiet,
    Split,
)
from negaudit.cli.output import Output, accounts_table
from negaudit.cli.overwriting import to_be_written

if TYPE_CHECKING:
    from negaudit import Collection, NegativeSource

app = typer.Typer(help="Mine a negative source from a collection.")
app.command()(mine_llm.llm)
K = Annotated[int, typer.Option("--k", min=1, help="Negatives per query.")]


@app.command()
def bm25(
    dataset: Dataset = None,
    *,
    out: OutFile,
    k: K = 10,
    split: Split = "test",
    min_relevance: MinRelevance = 1,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    tokenizer: Annotated[str, typer.Option("--tokenizer", help="What a token is.")] = "alnum",
    k1: Annotated[float, typer.Option("--k1", help="How soon a repeated term stops to count.")] = 1.5,
    b: Annotated[float, typer.Option("--b", help="How much a long passage is held back.")] = 0.75,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Take each query's top K by BM25, after every labelled positive is removed by id and by text."""
    output = Output(as_json=as_json, quiet=quiet)
    if not to_be_written(out, overwrite):
        return _report(output, negaudit.NegativeSource.from_parquet(out), out)
    collection = open_dataset(dataset, corpus, queries, qrels, split)
    with output.progress() as progress:
        source = negaudit.mine_bm25(collection, k=k, k1=k1, b=b, tokenizer=tokenizer, min_relevance=min_relevance, progress=progress)
    negaudit.write_source(source, out)
    return _report(output, source, out, collection)


@app.command()
def dense(
    dataset: Dataset = None,
    *,
    out: OutFile,
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
    device: Device = "auto",
    precision: Precision = "fp32",
    cache: Cache = None,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Take each query's top K by the frozen encoder (exact search), after every labelled positive is removed by id and by text."""
    output = Output(as_json=as_json, quiet=quiet)
    if not to_be_written(out, overwrite):
        return _report(output, negaudit.NegativeSource.from_parquet(out), out)
    collection = open_dataset(dataset, corpus, queries, qrels, split)
    frozen = negaudit.load_encoder(
        encoder,
        max_length=max_length,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        device=device,
        precision=precision,
        cache=cache,
    )
    with output.progress() as progress:
        source = negaudit.mine_dense(collection, encoder=frozen, k=k, min_relevance=min_relevance, progress=progress)
    negaudit.write_source(source, out)
    return _report(output, source, out, collection)


def _report(output: Output, source: NegativeSource, out: Path, collection: Collection | None = None) -> None:
    """Print what was mined from `collection`; without one, what an earlier run left at `out`."""
    metadata = source.metadata
    read = {f"collection: {what}": account.as_dict() for what, account in collection.accounts.items()} if collection else {}
    body = {
        "out": str(out),
        "kept": collection is None,
        "name": source.name,
        "records": source.num_records,
        "collection": {what: account.as_dict() for what, account in collection.accounts.items()} if collection else None,
        "origins": dict(metadata.origins),
        "inputs": dict(metadata.inputs),
        "counts": dict(metadata.counts),
        "details": dict(metadata.details),
    }
    output.result(body, lambda: accounts_table(f"{source.name}: {source.num_records:,} records", {**read, **metadata.counts}), out)
    if collection is None:
        output.note(f"kept {out}, which exists")
    short = metadata.details.get("short_records", {})
    if short.get("records"):
        output.note(f"{short['records']:,} records have fewer negatives than asked for; {short['missing_negatives']:,} are missing in all")
