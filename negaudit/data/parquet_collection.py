"""Collections in Parquet: the texts and judgements of BEIR's JSON lines and TSV in columns of the same names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from negaudit.data.jsonl_texts import CHUNK, passage_text
from negaudit.data.qrels import SCHEMA, column_positions
from negaudit.data.schema import is_id, is_text
from negaudit.errors import NegauditError


def parquet_texts(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Yield (ids, texts) of a file with the columns _id, text and perhaps title, in chunks, in order, as jsonl_texts does.

    Raises NegauditError for missing columns, columns of another type, null ids and a file that cannot be read.
    """
    with _opened(path) as file:
        names = file.schema_arrow.names
        if "_id" not in names or "text" not in names:
            raise NegauditError(f"{path}: expected the columns _id and text, found {', '.join(names) or 'none'}")
        wanted = [name for name in ("_id", "title", "text") if name in names]
        row = 0
        for batch in file.iter_batches(batch_size=CHUNK, columns=wanted):
            batch.validate(full=True)
            ids = _ids(batch["_id"], path, "_id", row).to_pylist()
            texts = _texts(batch, "text", path)
            titles = _texts(batch, "title", path) if "title" in wanted else [None] * len(ids)
            row += len(ids)
            yield ids, [passage_text(title, text) for title, text in zip(titles, texts, strict=True)]


def parquet_qrels(path: Path) -> pa.Table:
    """Return the judgements of a file with the columns query-id, corpus-id and score as a table of qrels.SCHEMA, in row order.

    Raises NegauditError for missing columns, null ids, and grades that are null or no integers.
    """
    with _opened(path) as file:
        names = file.schema_arrow.names
        positions = column_positions(names)
        if positions is None:
            raise NegauditError(f"{path}: expected the columns query-id, corpus-id and score, found {', '.join(names) or 'none'}")
        query, passage, grade = (names[position] for position in positions)
        table = file.read(columns=[query, passage, grade])
        table.validate(full=True)
        grades = table[grade]
        if grades.null_count or not (pa.types.is_integer(grades.type) or pa.types.is_floating(grades.type)):
            raise NegauditError(f"{path}: column {grade} must hold integers, found {grades.type} with {grades.null_count} nulls")
        columns = [_ids(table[query], path, query), _ids(table[passage], path, passage), pc.cast(grades, pa.int32())]
        return pa.Table.from_arrays(columns, schema=SCHEMA)


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    try:
        with pq.ParquetFile(path) as file:
            yield file
    except (pa.ArrowException, OSError) as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise NegauditError(f"{path}: cannot be read as Parquet ({first_line})") from error


def _ids(column: pa.Array | pa.ChunkedArray, path: Path, name: str, first_row: int = 0) -> pa.Array | pa.ChunkedArray:
    if not is_id(column.type):
        raise NegauditError(f"{path}: column {name} must hold strings or integers, found {column.type}")
    if column.null_count:
        row = first_row + pc.index(column.is_null(), True).as_py()
        raise NegauditError(f"{path}, row {row} (counted from 0): {name} is null")
    return column.cast(pa.string())


def _texts(batch: pa.RecordBatch, name: str, path: Path) -> list[str | None]:
    column = batch[name]
    if not is_text(column.type) and not pa.types.is_null(column.type):
        raise NegauditError(f"{path}: column {name} must hold text, found {column.type}")
    texts: list[str | None] = column.to_pylist()
    return texts
