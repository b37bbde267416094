"""A negative source: records made one way, in memory or in a Parquet file, read in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.fingerprint import records_fingerprint
from negaudit.data.joined_batches import joined
from negaudit.data.metadata import KEY, Role, SourceMetadata
from negaudit.data.normal_form import normal_form
from negaudit.data.record import Negative, Record
from negaudit.data.schema import NEGATIVE_FIELDS, REPLACED, check_source_schema, has_replaced, source_schema
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    import polars as pl

BATCH = 2048
# Records that are Python objects and Arrow's at the same time.
RECORDS_AT_ONCE = 64


class Readable(Protocol):
    """Records that can be read again and again, in batches in normal form, from wherever they are."""

    def batches(self, size: int) -> Iterator[pa.RecordBatch]:
        """Yield the records in their order, in batches of at most `size` rows."""


@dataclass(frozen=True)
class NegativeSource:
    """A named set of records; `content` is an Arrow table in normal form, the path of a Parquet file, or a reader of another file.

    Make one by from_table, from_records, from_parquet or from_file. `replaced` says whether its negatives carry that field (controls do).
    """

    name: str
    content: pa.Table | Path | Readable = field(repr=False)
    metadata: SourceMetadata
    num_records: int
    replaced: bool = False

    @classmethod
    def from_table(cls, table: pa.Table, metadata: SourceMetadata) -> NegativeSource:
        """Return a source over `table`; raises NegauditError where a column is missing or of a type that stands for something else."""
        where = f"source '{metadata.name}'"
        check_source_schema(table.schema, where)
        replaced = has_replaced(table.schema)
        batches = list(_normalised(table.to_batches(max_chunksize=BATCH), where))
        whole = pa.Table.from_batches(batches, source_schema(replaced=replaced))
        return cls(metadata.name, whole, metadata, whole.num_rows, replaced)

    @classmethod
    def from_records(cls, records: Iterable[Record], metadata: SourceMetadata) -> NegativeSource:
        """Return a source over `records`, in their order; they are taken as they come, so an iterator need not fit in memory as objects."""
        where = f"source '{metadata.name}'"
        batches = list(joined(_groups(iter(records), where), BATCH))
        replaced = any(map(_says_replaced, batches))
        final = batches if replaced else [normal_form(batch, where, replaced=False) for batch in batches]
        whole = pa.Table.from_batches(final, source_schema(replaced=replaced))
        return cls(metadata.name, whole, metadata, whole.num_rows, replaced)

    @classmethod
    def from_parquet(cls, path: str | Path, name: str | None = None) -> NegativeSource:
        """Return a source over the Parquet file at `path`, named by `name`, else by the file's stem.

        A file without negaudit metadata is taken as a candidate whose origin is unknown. A file of no records opens; scoring refuses it.
        Raises NegauditError where the file is missing, is no Parquet file, or lacks columns.
        """
        path = Path(path)
        schema, rows = _parquet_header(path)
        check_source_schema(schema, str(path))
        stored = (schema.metadata or {}).get(KEY)
        name = path.stem if name is None else name
        metadata = replace(SourceMetadata.from_json(stored, str(path)), name=name) if stored else SourceMetadata(name)
        return cls(name, path, metadata, rows, has_replaced(schema))

    @classmethod
    def from_file(cls, path: str | Path, name: str | None = None, **options: Any) -> NegativeSource:
        """Return the source in a file of any known format, found by its content; the options are those of open_source."""
        from negaudit.data.formats.opening import open_source

        return open_source(path, name, **options)

    @property
    def role(self) -> Role:
        """genuine, candidate or control."""
        return self.metadata.role

    def with_role(self, role: Role) -> NegativeSource:
        """Return the same source under another role."""
        return replace(self, metadata=self.metadata.with_role(role))

    def renamed(self, name: str) -> NegativeSource:
        """Return the same source under another name; raises NegauditError where that cannot name a folder."""
        return replace(self, name=name, metadata=replace(self.metadata, name=name))

    def batches(self, size: int = BATCH) -> Iterator[pa.RecordBatch]:
        """Yield the records in source order as record batches in normal form, of 1 to `size` rows each; none for an empty source."""
        if isinstance(self.content, pa.Table):
            yield from (batch for batch in self.content.to_batches(max_chunksize=size) if batch.num_rows)
            return
        if not isinstance(self.content, Path):
            yield from self.content.batches(size)
            return
        columns = source_schema().names
        try:
            with pq.ParquetFile(self.content) as file:
                yield from _normalised(file.iter_batches(batch_size=size, columns=columns), str(self.content))
        except (pa.ArrowException, OSError) as error:
            raise NegauditError(f"{self.content}: cannot be read ({_first_line(error)}); is the file complete?") from error

    def to_table(self) -> pa.Table:
        """Return all records as one Arrow table of source_schema()."""
        if isinstance(self.content, pa.Table):
            return self.content
        return pa.Table.from_batches(list(self.batches()), source_schema(replaced=self.replaced))

    def to_polars(self) -> pl.DataFrame:
        """Return all records as one polars frame with the same columns; from_table(frame.to_arrow(), metadata) is the way back."""
        import polars as pl

        return pl.DataFrame(self.to_table())

    def records(self) -> Iterator[Record]:
        """Yield the records one by one, for reading and showing; batches() is the fast way."""
        for batch in self.batches():
            for row in batch.to_pylist():
                negatives = tuple(Negative(**negative) for negative in row["negatives"])
                yield Record(row["query_id"], row["query"], tuple(row["positives"]), negatives, tuple(row["positive_ids"]))

    def fingerprint(self) -> str:
        """Return the digest (32 hex digits) of the records in their order; a source in memory and its file have the same one.

        Name, role and metadata have no part in it. It reads the whole source, so ask once.
        """
        return records_fingerprint(self.batches())


def by_name(sources: Iterable[NegativeSource]) -> dict[str, NegativeSource]:
    """Return the sources by their names, in order; raises NegauditError where two have the same name."""
    named: dict[str, NegativeSource] = {}
    for source in sources:
        if source.name in named:
            raise NegauditError(f"two sources are named '{source.name}'; give one of them another name (NAME=FILE)")
        named[source.name] = source
    return named


def _normalised(batches: Iterable[pa.RecordBatch], where: str) -> Iterator[pa.RecordBatch]:
    row = 0
    for batch in batches:
        if batch.num_rows:
            yield normal_form(batch, where, first_row=row)
        row += batch.num_rows


def _groups(rows: Iterator[Record], where: str) -> Iterator[pa.RecordBatch]:
    """Yield records as small batches in normal form, whose negatives have the field `replaced`."""
    schema, first = source_schema(replaced=True), 0
    while some := list(islice(rows, RECORDS_AT_ONCE)):
        batch = pa.RecordBatch.from_pylist([_row(record) for record in some], schema=schema)
        yield normal_form(batch, where, first_row=first, replaced=True)
        first += len(some)
        # Arrow keeps what its builders outgrew: with long texts as much again as the source takes.
        pa.default_memory_pool().release_unused()


def _says_replaced(batch: pa.RecordBatch) -> bool:
    said = batch["negatives"].flatten().field(REPLACED.name)
    return bool(said.null_count < len(said))


def _row(record: Record) -> dict[str, object]:
    names = [field.name for field in (*NEGATIVE_FIELDS, REPLACED)]
    return {
        "query_id": record.query_id,
        "query": record.query,
        "positive_ids": list(record.positive_ids),
        "positives": list(record.positives),
        "negatives": [{name: getattr(negative, name) for name in names} for negative in record.negatives],
    }


def _parquet_header(path: Path) -> tuple[pa.Schema, int]:
    if path.is_dir():
        raise NegauditError(f"{path}: is a folder; give the Parquet file itself")
    if not path.exists():
        raise NegauditError(f"{path}: no such file; give a Parquet file written by negaudit")
    try:
        with pq.ParquetFile(path) as file:
            return file.schema_arrow, file.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        raise NegauditError(f"{path}: not a Parquet file ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
