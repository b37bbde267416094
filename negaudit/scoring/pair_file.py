"""The per-pair Parquet file, written as pairs come, in row groups of one fixed size whatever chunks they came in."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.scoring.pairs import pair_schema

ROW_GROUP = 65_536


class PairFile:
    """Writes tables of pairs to `path`; a context manager that writes what is left when it is left without an error."""

    def __init__(self, path: Path, *, encoded: bool) -> None:
        self._file = pq.ParquetWriter(path, pair_schema(encoded=encoded), compression="zstd")
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def write(self, table: pa.Table) -> None:
        """Add the rows of `table`."""
        while table.num_rows:
            part = table.slice(0, ROW_GROUP - self._rows)
            table = table.slice(part.num_rows)
            self._waiting.append(part)
            self._rows += part.num_rows
            if self._rows == ROW_GROUP:
                self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(pa.concat_tables(self._waiting).combine_chunks(), row_group_size=ROW_GROUP)
            self._waiting, self._rows = [], 0

    def __enter__(self) -> PairFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._file.close()
