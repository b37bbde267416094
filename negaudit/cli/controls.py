"""`negaudit controls`: sources that are bad in a known way, built from a source at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import negaudit
from negaudit.cli.inputs import open_dataset, open_sources
from negaudit.cli.options import (
    AsJson,
    Cache,
    Corpus,
    Dataset,
    Device,
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
from negaudit.cli.output import Output, reasons, simple_table
from negaudit.cli.overwriting import to_be_written
from negaudit.cli.scoring import named_encoder
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit import NegativeSource, Recipe


def controls(
    dataset: Dataset = None,
    *,
    source: Source,
    out: OutFolder,
    base: Annotated[str, typer.Option("--base", help="The source that controls start from where their recipe names none.")] = "bm25",
    control: Annotated[list[str] | None, typer.Option("--control", help="A shipped control to build; all if left out.")] = None,
    recipe: Annotated[list[Path] | None, typer.Option("--recipe", metavar="FILE", help="A recipe of your own (TOML) to build too.")] = None,
    inline: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=KIND,KEY=VALUE,…",
            help="A recipe in one line to build too, such as own_10=own_positive,fraction=0.1,base=dense; alone, nothing else is built.",
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="PATH_OR_ID",
            help="The frozen encoder, 'packaged' for all-MiniLM-L6-v2; without one, controls that need it are left out.",
            rich_help_panel="Encoder",
        ),
    ] = None,
    split: Split = "test",
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    max_length: MaxLength = 128,
    query_prefix: QueryPrefix = None,
    passage_prefix: PassagePrefix = None,
    device: Device = "auto",
    precision: Precision = "fp32",
    cache: Cache = None,
    seed: Seed = 42,
    overwrite: Overwrite = "never",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Build control sources, one file each in DIR; without a collection, random passages come from the sources themselves."""
    output = Output(as_json=as_json, quiet=quiet)
    recipes = negaudit.choose_recipes(control, recipe or (), inline or ())
    left_out = [] if control or inline or encoder else [shipped for shipped in negaudit.shipped_recipes() if shipped.needs_encoder]
    recipes = [chosen for chosen in recipes if chosen not in left_out]
    files = {chosen.name: out / f"{chosen.name}.parquet" for chosen in recipes}
    wanted: list[Recipe] = [chosen for chosen in recipes if to_be_written(files[chosen.name], overwrite)]
    kept = {name: _kept(file, output) for name, file in files.items() if name not in {chosen.name for chosen in wanted}}
    given = any(place is not None for place in (dataset, corpus, queries, qrels))
    collection = open_dataset(dataset, corpus, queries, qrels, split) if given else None
    frozen = named_encoder(
        encoder if wanted else None,
        max_length=max_length,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        device=device,
        precision=precision,
        cache=cache,
    )
    with output.progress() as progress:
        built = negaudit.build_controls(
            open_sources(source, collection, out / "rejects.jsonl"),
            collection=collection,
            recipes=wanted,
            base=base,
            seed=seed,
            encoder=frozen,
            progress=progress,
        )
    for name, made in built.items():
        negaudit.write_source(made, files[name])
    if left_out:
        output.note(f"left out for want of --encoder: {', '.join(recipe.name for recipe in left_out)}")
    every = {name: kept[name] if name in kept else built[name] for name in files}
    body = {"out": str(out), "controls": {name: _described(made, files[name]) for name, made in every.items()}}
    output.result(body, lambda: _table(every), out)


def _kept(file: Path, output: Output) -> NegativeSource:
    found = negaudit.NegativeSource.from_parquet(file)
    if "control" not in found.metadata.details:
        raise NegauditError(f"{file} exists and is no control; move it away, or --overwrite always replaces it")
    output.note(f"kept {file}, which exists")
    return found


def _described(made: NegativeSource, file: Path) -> dict[str, Any]:
    metadata = made.metadata
    return {"out": str(file), "records": made.num_records, "counts": dict(metadata.counts), **metadata.details["control"]}


def _table(every: dict[str, NegativeSource]) -> Any:
    rows = []
    for name, made in every.items():
        facts = made.metadata.details["control"]
        lost = reasons(made.metadata.counts["records"]["rejected"])
        rows.append((name, facts["base"], made.num_records, facts["negatives"], float(facts["share"]), lost))
    return simple_table("controls", ("control", "base", "records", "negatives", "share replaced", "records left out"), rows)
