"""The Parquet store: a source written as one file, zstd, metadata included, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.atomic import atomic_path
from negaudit.data.metadata import KEY, SourceMetadata
from negaudit.data.normal_form import normal_form
from negaudit.data.schema import check_source_schema, source_schema
from negaudit.data.source import NegativeSource

# Small enough that the texts of a group stay far below the 2 GiB that one string array can hold.
ROW_GROUP = 4096


def write_source(source: NegativeSource, path: str | Path) -> Path:
    """Write `source` to `path` and return the path; equal records and metadata give equal bytes."""
    return write_batches(source.batches(), source.metadata, path, replaced=source.replaced)


def write_batches(batches: Iterable[pa.RecordBatch], metadata: SourceMetadata, path: str | Path, *, replaced: bool = False) -> Path:
    """Write record batches with the columns of a source to `path` as they come, and return the path.

    Rows are regrouped, so their batching leaves no trace in the bytes. With `replaced` the negatives keep that field.
    Raises NegauditError where a batch is not of a source's columns or the file cannot be written; then nothing is left at `path`.
    """
    path = Path(path)
    schema = source_schema(replaced=replaced).with_metadata({KEY: metadata.to_json().encode()})
    where = f"source '{metadata.name}'"
    with atomic_path(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for group in row_groups(batches):
            parts = [normal_form(_checked(batch, where), where, replaced=replaced) for batch in group]
            table = pa.Table.from_batches(parts).combine_chunks().replace_schema_metadata(schema.metadata)
            writer.write_table(table, row_group_size=ROW_GROUP)
    return path


def _checked(batch: pa.RecordBatch, where: str) -> pa.RecordBatch:
    check_source_schema(batch.schema, where)
    return batch


def row_groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Yield the rows in lists of batches that add up to exactly ROW_GROUP rows, the last one to what is left."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        while batch.num_rows:
            part = batch.slice(0, ROW_GROUP - rows)
            batch = batch.slice(part.num_rows)
            waiting.append(part)
            rows += part.num_rows
            if rows == ROW_GROUP:
                yield waiting
                waiting, rows = [], 0
    if waiting:
        yield waiting
