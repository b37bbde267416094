"""The options that several commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Dataset = Annotated[str | None, typer.Argument(metavar="DATASET", help="A BEIR folder, or a folder of Parquet files laid out like one.")]
InDataset = Annotated[
    str | None,
    typer.Option(
        "--dataset",
        metavar="DATASET",
        help="The collection, a BEIR folder or one of Parquet: for files of ids, and for checks that need its passages.",
        rich_help_panel="Collection",
    ),
]
Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE…", help="Files of negatives in any known format; FILE#SYSTEM takes one system of several."),
]
FormatName = Annotated[str | None, typer.Option("--format", help="The format to read, where the content does not tell.")]
RejectsFile = Annotated[
    Path, typer.Option("--rejects", metavar="FILE", help="Where records that cannot be used are written, with line and reason.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Take a record that cannot be used as an error.")]
Corpus = Annotated[Path | None, typer.Option("--corpus", help="The passages, in place of the folder's.", rich_help_panel="Collection")]
Queries = Annotated[Path | None, typer.Option("--queries", help="The queries, in place of the folder's.", rich_help_panel="Collection")]
Qrels = Annotated[Path | None, typer.Option("--qrels", help="The judgements, in place of the folder's.", rich_help_panel="Collection")]
Split = Annotated[str, typer.Option("--split", help="Which judgements of DATASET to use.", rich_help_panel="Collection")]
MinRelevance = Annotated[
    int,
    typer.Option(
        "--min-relevance",
        min=-(2**31),
        max=2**31 - 1,
        help="The lowest grade that makes a passage a positive.",
        rich_help_panel="Collection",
    ),
]

Source = Annotated[
    list[str], typer.Option("--source", metavar="NAME=FILE", help="A negative source; FILE alone is named by its stem. Repeat for more.")
]

Encoder = Annotated[
    str | None,
    typer.Option(
        "--encoder", metavar="PATH_OR_ID", help="The frozen encoder; the packaged all-MiniLM-L6-v2 if left out.", rich_help_panel="Encoder"
    ),
]
MaxLength = Annotated[
    int, typer.Option("--max-length", min=1, help="Word pieces that the encoder reads of a text.", rich_help_panel="Encoder")
]
Device = Annotated[
    str,
    typer.Option("--device", metavar="auto|cpu|cuda|cuda:N,…|mps", help="Where the encoder runs.", rich_help_panel="Encoder"),
]
Precision = Annotated[
    Literal["fp32", "bf16", "fp16"],
    typer.Option("--precision", help="The encoder's number format; part of its contract.", rich_help_panel="Encoder"),
]
QueryPrefix = Annotated[
    str | None,
    typer.Option("--query-prefix", help="Put before each query; the model's own or its family's if left out.", rich_help_panel="Encoder"),
]
PassagePrefix = Annotated[
    str | None,
    typer.Option(
        "--passage-prefix", help="Put before each passage; the model's own or its family's if left out.", rich_help_panel="Encoder"
    ),
]
Similarity = Annotated[
    Literal["cosine", "dot"], typer.Option("--similarity", help="How embeddings are compared.", rich_help_panel="Encoder")
]
Dims = Annotated[
    int | None,
    typer.Option("--dims", min=1, help="Leading dimensions kept of a Matryoshka model; all if left out.", rich_help_panel="Encoder"),
]
Cache = Annotated[
    Path | None,
    typer.Option("--cache", help="Folder of the embedding cache; the user's cache folder if left out.", rich_help_panel="Encoder"),
]

Chunk = Annotated[int, typer.Option("--chunk", min=1, help="Records held in memory at a time; changes no number.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of every random draw.")]
K = Annotated[int, typer.Option("--k", min=1, help="Negatives per query.")]
MinedOut = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where the source is written.")]
OutFile = Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the result is written.")]
OutFolder = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder the results are written to.")]
Overwrite = Annotated[
    Literal["never", "missing", "always"],
    typer.Option("--overwrite", help="What to do where an output exists: refuse, keep it and make what is missing, or replace it."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document in place of a table.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints; print the output path alone.")]
