"""Rows written as JSON lines (plain, gzip or zstd), CSV or Parquet, by the ending of the file's name, whole or not at all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.atomic import atomic_path
from negaudit.data.exports.target import Row
from negaudit.errors import NegauditError

_GROUP = 4096
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
_LINES, _TABLES = (".jsonl", ".json"), (".parquet", ".csv")


def check_ending(path: Path, *, table: bool) -> None:
    """Raise NegauditError unless a file of this name can be written; tables may be Parquet or CSV too."""
    allowed = (*_LINES, *_TABLES) if table else _LINES
    if _ending(path) not in allowed:
        names = ", ".join((".jsonl", ".jsonl.gz", ".jsonl.zst", *(_TABLES if table else ())))
        raise NegauditError(f"{path}: the ending says no kind of file; expected one of {names}")


def write_rows(rows: Iterable[Row], path: Path, schema: pa.Schema | None) -> int:
    """Write the rows to `path` and return how many there were; `schema` is that of a table's columns."""
    ending = _ending(path)
    if schema is not None and ending == ".parquet":
        return _write_parquet(rows, path, schema)
    if schema is not None and ending == ".csv":
        nested = [field.name for field in schema if pa.types.is_list(field.type)]
        if nested:
            raise NegauditError(f"{path}: CSV has no place for the lists in {', '.join(nested)}; write .jsonl or .parquet")
        return _write_csv(rows, path, schema.names)
    count = 0
    with _opened(path) as stream:
        for row in rows:
            count += 1
            stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return count


def _ending(path: Path) -> str:
    return Path(path.stem).suffix if path.suffix in _COMPRESSIONS else path.suffix


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        compression = _COMPRESSIONS.get(path.suffix)
        if compression is None:
            yield file
        else:
            with pa.CompressedOutputStream(file, compression) as stream:
                yield cast(BinaryIO, stream)


def _write_parquet(rows: Iterable[Row], path: Path, schema: pa.Schema) -> int:
    count, left = 0, iter(rows)
    with atomic_path(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        while some := list(islice(left, _GROUP)):
            writer.write_table(pa.Table.from_pylist(some, schema))
            count += len(some)
    return count


def _write_csv(rows: Iterable[Row], path: Path, names: list[str]) -> int:
    count = 0
    with _opened(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        writer = csv.DictWriter(text, names)
        writer.writeheader()
        for row in rows:
            count += 1
            writer.writerow(row)
        text.flush()
        text.detach()
    return count
