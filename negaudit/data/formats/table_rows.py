"""The rows of Parquet files and of Arrow files (what `datasets` writes with save_to_disk), batch by batch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.formats.container import Container
from negaudit.data.formats.fields import Row
from negaudit.data.formats.parsed import Reject
from negaudit.data.formats.remote import open_parquet
from negaudit.errors import NegauditError

_BATCH = 1024


def parquet_rows(container: Container) -> Iterator[tuple[int, Row | Reject]]:
    """Yield (row number from 1, row) of a Parquet file, or of all in a folder, by name; raises NegauditError where one cannot be read."""
    paths = sorted(container.path.glob("*.parquet")) if container.path.is_dir() else [container.path]
    yield from _numbered(container.path, (batch for path in paths for batch in _parquet_batches(path)))


def arrow_rows(container: Container) -> Iterator[tuple[int, Row | Reject]]:
    """Yield (row number from 1, row) of an Arrow file, or of a save_to_disk folder; raises NegauditError where one cannot be read."""
    yield from _numbered(container.path, (batch for path in _arrow_files(container.path) for batch in _arrow_batches(path)))


def _numbered(path: Path, batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, Row | Reject]]:
    number = 0
    try:
        for batch in batches:
            for part in (batch.slice(start, _BATCH) for start in range(0, batch.num_rows, _BATCH)):
                for row in _rows(part, number):
                    number += 1
                    yield number, row
    except (pa.ArrowException, OSError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise NegauditError(f"{path}, row {number + 1}: cannot be read ({first}); is the file complete?") from error


def _rows(part: pa.RecordBatch, before: int) -> Iterator[Row | Reject]:
    try:
        yield from part.to_pylist()
    except UnicodeDecodeError:
        # Bytes that are no text in a text column: find the rows they are in.
        for place in range(part.num_rows):
            try:
                yield part.slice(place, 1).to_pylist()[0]
            except UnicodeDecodeError as error:
                yield Reject(before + place + 1, "not_utf8", f"text must be UTF-8, found byte 0x{error.object[error.start]:02x}")


def _parquet_batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(open_parquet(path)) as file:
        yield from file.iter_batches(batch_size=_BATCH)


def _arrow_files(path: Path) -> list[Path]:
    """Return the data files of a save_to_disk folder in their order; the file itself where it is one."""
    if not path.is_dir():
        return [path]
    state = path / "state.json"
    if not state.is_file():
        return sorted(path.glob("*.arrow"))
    try:
        body = json.loads(state.read_text(encoding="utf-8"))
        files = [path / entry["filename"] for entry in body["_data_files"]]
    except (ValueError, TypeError, KeyError) as error:
        raise NegauditError(f"{state}: expected the _data_files of a save_to_disk folder ({error!r})") from error
    if body.get("_indices_data_files"):
        raise NegauditError(f"{path}: the dataset is a selection of its rows; write it again after dataset.flatten_indices()")
    return files


def _arrow_batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.OSFile(str(path)) as file:
        whole = file.read(6) == b"ARROW1"
        file.seek(0)
        if whole:
            with pa.ipc.open_file(file) as reader:
                yield from (reader.get_batch(index) for index in range(reader.num_record_batches))
        else:
            with pa.ipc.open_stream(file) as reader:
                yield from reader
