"""`negaudit show`: records of a file, to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import negaudit
from negaudit.cli.inputs import open_lookup
from negaudit.cli.options import AsJson, Corpus, FormatName, InDataset, Qrels, Queries, Seed, Split
from negaudit.cli.output import Output


def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of negatives in any known format; FILE#SYSTEM shows one system's.")],
    *,
    query: Annotated[str | None, typer.Option("--query", metavar="ID", help="The query to show, by its id or its text.")] = None,
    line: Annotated[int | None, typer.Option("--line", min=1, help="The line (or row) whose record to show.")] = None,
    random: Annotated[int | None, typer.Option("--random", min=1, metavar="N", help="Show N records drawn at random.")] = None,
    seed: Seed = 42,
    scores: Annotated[
        Path | None, typer.Option("--scores", metavar="DIR", help="A folder that `negaudit score` wrote: show each pair's numbers.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What the source is called there; the file's stem if left out.")] = None,
    characters: Annotated[int, typer.Option("--characters", min=0, help="How much of each text to show; 0 shows all.")] = 400,
    format_name: FormatName = None,
    dataset: InDataset = None,
    corpus: Corpus = None,
    queries: Queries = None,
    qrels: Qrels = None,
    split: Split = "test",
    as_json: AsJson = False,
) -> None:
    """Lay out records: the query, its positives, and each negative with its origin, rank, score and whatever was measured of the pair."""
    lookup = open_lookup(dataset, corpus, queries, qrels, split)
    records = negaudit.show(
        file, query=query, line=line, random=random, seed=seed, scores=scores, name=name, format=format_name, collection=lookup
    )
    Output(as_json=as_json).result({"records": records}, lambda: negaudit.records_view(records, characters), None)
