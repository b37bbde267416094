"""Packs a BEIR folder of SciFact into the Parquet files of examples/scifact: python examples/pack_scifact.py BEIR_FOLDER [OUT]."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


def main(beir: Path, out: Path) -> None:
    """Write corpus, queries and the judgements of both splits, rows and columns as in `beir`."""
    _write(_jsonl(beir / "corpus.jsonl", ("_id", "title", "text")), out / "corpus.parquet")
    _write(_jsonl(beir / "queries.jsonl", ("_id", "text")), out / "queries.parquet")
    for split in ("train", "test"):
        _write(_qrels(beir / "qrels" / f"{split}.tsv"), out / "qrels" / f"{split}.parquet")


def _jsonl(path: Path, columns: tuple[str, ...]) -> pa.Table:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return pa.table({name: [row[name] for row in rows] for name in columns})


def _qrels(path: Path) -> pa.Table:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    columns: dict[str, list[object]] = {name: [row[name] for row in rows] for name in ("query-id", "corpus-id")}
    return pa.table({**columns, "score": pa.array([int(row["score"]) for row in rows], pa.int32())})


def _write(table: pa.Table, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Texts do not repeat, so a dictionary would only cost; one page lets zstd see all of a column.
    pq.write_table(table, path, compression="zstd", compression_level=22, use_dictionary=False, data_page_size=1 << 30)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "scifact")
