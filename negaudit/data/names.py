"""The ids and origins of a source's records without their texts, which are most of a file and not needed twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.normal_form import normal_form
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError

_ABSENT = {"query": pa.string(), "positive_ids": pa.list_(pa.string()), "positives": pa.list_(pa.string())}


def name_batches(source: NegativeSource, size: int) -> Iterator[pa.RecordBatch]:
    """Yield what `source.batches(size)` yields; of a Parquet file the texts are not read and come back empty, and so do the positives."""
    if not isinstance(source.content, Path):
        yield from source.batches(size)
        return
    try:
        with pq.ParquetFile(source.content) as file:
            for batch in file.iter_batches(batch_size=size, columns=_leaves(file)):
                if batch.num_rows:
                    yield normal_form(_completed(batch), str(source.content))
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NegauditError(f"{source.content}: cannot be read ({reason}); did it change while it was scored?") from error


def _leaves(file: pq.ParquetFile) -> list[str]:
    """Return the paths of the file's columns that hold ids and origins; what lies between a list and its fields varies by writer."""
    paths = [file.schema.column(i).path for i in range(len(file.schema))]
    nested = [path for path in paths if path.startswith("negatives.") and path.rsplit(".", 1)[-1] in ("id", "origin")]
    return ["query_id", *nested]


def _completed(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with columns of nulls in place of those that were not read."""
    absent = [pa.nulls(batch.num_rows, kind) for kind in _ABSENT.values()]
    return pa.RecordBatch.from_arrays([*batch.columns, *absent], names=[*batch.schema.names, *_ABSENT])
