"""`negaudit mine llm`: negatives written by a language model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import negaudit
from negaudit.cli.inputs import open_dataset
from negaudit.cli.options import AsJson, Corpus, Dataset, MinRelevance, OutFile, Overwrite, Qrels, Queries, Quiet, Seed, Split
from negaudit.cli.output import Output, accounts_table
from negaudit.cli.overwriting import to_be_written
from negaudit.cli.pace import shown_pace
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import Collection, NegativeSource

Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="The model: its name at the server; a hub id or a folder for vLLM.")
]
Endpoint = Annotated[
    str | None,
    typer.Option(
        "--endpoint", metavar="URL", help="An OpenAI-compatible server (http://localhost:8000/v1); vLLM in this process if left out."
    ),
]
Prompt = Annotated[str, typer.Option("--prompt", metavar="NAME|PATH", help="plain, kinds, matched, or a file laid out like theirs.")]
K = Annotated[int, typer.Option("--k", min=1, help="Negatives per query.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Write for so many queries, drawn by the seed.")]
Attempts = Annotated[int, typer.Option("--attempts", min=1, help="Requests per record, to get what is missing; then it is kept short.")]
Budget = Annotated[
    int | None,
    typer.Option("--budget-tokens", min=1, help="Start no request once so many tokens are spent, in and out, earlier runs included."),
]
Journal = Annotated[
    Path | None, typer.Option("--journal", metavar="FILE", help="Where finished records are kept; beside the output if left out.")
]
_SAMPLING, _SERVER, _ENGINE = "Sampling", "Server", "vLLM"
Temperature = Annotated[float, typer.Option("--temperature", min=0, rich_help_panel=_SAMPLING, help="How freely words are drawn.")]
TopP = Annotated[
    float, typer.Option("--top-p", min=0, max=1, rich_help_panel=_SAMPLING, help="The share of likely words that are drawn from.")
]
MaxTokens = Annotated[
    int, typer.Option("--max-tokens", min=1, rich_help_panel=_SAMPLING, help="The longest answer; one that is cut off fails.")
]
Shortest = Annotated[int, typer.Option("--min-characters", min=1, help="The shortest passage that counts.")]
Longest = Annotated[int, typer.Option("--max-characters", min=1, help="The longest passage that counts.")]
Shown = Annotated[int, typer.Option("--positive-characters", min=1, help="How much of the positive the model is shown.")]
InFlight = Annotated[int | None, typer.Option("--in-flight", min=1, help="Requests at once: 32 at a server, 256 in vLLM, if left out.")]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, rich_help_panel=_SERVER, help="Seconds that an answer may take.")]
Retries = Annotated[int, typer.Option("--retries", min=0, rich_help_panel=_SERVER, help="Further tries of a request that failed.")]
TensorParallel = Annotated[int, typer.Option("--tensor-parallel", min=1, rich_help_panel=_ENGINE, help="GPUs that share the model.")]
EngineOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--engine-option", metavar="NAME=VALUE", rich_help_panel=_ENGINE, help="An option of vllm.LLM (dtype=float32). Repeat for more."
    ),
]


def llm(
    dataset: Dataset = None,
    *,
    out: OutFile,
    model: Model = None,
    endpoint: Endpoint = None,
    prompt: Prompt = "plain",
    k: K = 10,
    limit: Limit = None,
    attempts: Attempts = 3,
    budget_tokens: Budget = None,
    seed: Seed = 42,
    journal: Journal = None,
    split: Split = "test",
    min_relevance: MinRelevance = 1,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    temperature: Temperature = 0.8,
    top_p: TopP = 0.95,
    max_tokens: MaxTokens = 4096,
    min_characters: Shortest = 20,
    max_characters: Longest = 6000,
    positive_characters: Shown = 4000,
    in_flight: InFlight = None,
    timeout: Timeout = 600.0,
    retries: Retries = 6,
    tensor_parallel: TensorParallel = 1,
    engine_option: EngineOptions = None,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Have a language model write K passages per query that look relevant and miss the need; a stopped run goes on where it was."""
    output = Output(as_json=as_json, quiet=quiet)
    if not to_be_written(out, overwrite):
        return _report(output, negaudit.NegativeSource.from_parquet(out), out)
    if model is None:
        raise NegauditError("no model: give --model NAME, and --endpoint URL where a server runs it")
    backend = (
        _server(endpoint, model, in_flight, timeout, retries) if endpoint else _engine(model, in_flight, tensor_parallel, engine_option)
    )
    collection = open_dataset(dataset, corpus, queries, qrels, split)
    with shown_pace(quiet=quiet) as report:
        source = negaudit.mine_llm(
            collection,
            backend=backend,
            prompt=prompt,
            k=k,
            limit=limit,
            attempts=attempts,
            budget_tokens=budget_tokens,
            seed=seed,
            sampling=negaudit.Sampling(temperature, top_p, max_tokens),
            lengths=negaudit.Lengths(min_characters, max_characters),
            positive_characters=positive_characters,
            min_relevance=min_relevance,
            journal=journal or out.with_name(f"{out.name}.journal"),
            report=report,
        )
    negaudit.write_source(source, out)
    return _report(output, source, out, collection)


def _server(endpoint: str, model: str, in_flight: int | None, timeout: float, retries: int) -> Any:
    return negaudit.ServerBackend(endpoint, model, in_flight=in_flight or 32, timeout=timeout, retrying=negaudit.Retrying(retries))


def _engine(model: str, in_flight: int | None, tensor_parallel: int, given: Sequence[str] | None) -> Any:
    options = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not (name.isidentifier() and equals):
            raise NegauditError(f"--engine-option {word}: expected NAME=VALUE")
        options[name] = _value(value)
    return negaudit.EngineBackend(model, in_flight=in_flight or 256, tensor_parallel=tensor_parallel, options=options)


def _value(text: str) -> Any:
    """Return what stands for a JSON value as that value, everything else as a text."""
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except ValueError:
        return text


def _report(output: Output, source: NegativeSource, out: Path, collection: Collection | None = None) -> None:
    """Print the account of what was asked and written; without a collection, of what an earlier run left at `out`."""
    metadata = source.metadata
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
    output.result(body, lambda: accounts_table(f"{source.name}: {source.num_records:,} records", metadata.counts), out)
    for line in _notes(metadata.details):
        output.note(line)
    if collection is None:
        output.note(f"kept {out}, which exists")


def _notes(details: Any) -> Iterator[str]:
    tokens, short, unfinished = (details.get(what) or {} for what in ("tokens", "short_records", "unfinished"))
    if tokens:
        yield f"tokens: {tokens['in']:,} in, {tokens['out']:,} out"
    if details.get("retried"):
        yield "tries that were repeated: " + ", ".join(f"{count:,} {reason}" for reason, count in details["retried"].items())
    if short.get("records"):
        yield f"{short['records']:,} records have fewer negatives than asked for; {short['missing_negatives']:,} are missing in all"
    if unfinished.get("asked"):
        spent = unfinished["tokens_in"] + unfinished["tokens_out"]
        asked = f"besides, {unfinished['asked']:,} requests and {spent:,} tokens went into unfinished records"
        yield f"{asked}; the same command with --overwrite always asks for them again"
