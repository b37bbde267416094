"""`negaudit score`: the statistics of negative sources, without training."""

from __future__ import annotations

import negaudit
from negaudit.cli.inputs import open_lookup, open_sources
from negaudit.cli.options import (
    AsJson,
    Cache,
    Chunk,
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


def score(
    *,
    source: Source,
    out: OutFolder,
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
    chunk: Chunk = 2048,
    format_name: FormatName = None,
    dataset: InDataset = None,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    split: Split = "test",
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure sources together: psi without an encoder; with one also rho, eta, inversions and the residual geometry."""
    output = Output(as_json=as_json, quiet=quiet)
    config = score_config(tokenizer, idf, tau, sample, seed, replicates)
    manifest = out / "summary.json"
    if to_be_written(manifest, overwrite):
        sources = open_sources(source, open_lookup(dataset, corpus, queries, qrels, split), out / "rejects.jsonl", format_name)
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
            summary = negaudit.score(sources, encoder=frozen, config=config, out=out, chunk=chunk, report=progress).summary
    else:
        output.note(f"kept {manifest}, which exists")
        summary = negaudit.load_score(out).summary
    output.result(summary, lambda: negaudit.score_table(summary), out)
