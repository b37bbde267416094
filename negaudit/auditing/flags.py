"""flags.parquet: every negative that a check points at, written source by source as they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.auditing.run_checks import CheckedSource
from negaudit.data.atomic import atomic_path

FILE = "flags.parquet"
SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("record", pa.int64()),  # row of the source
        ("query_id", pa.string()),
        ("negative_index", pa.int32()),  # position in the record's list
        ("check", pa.string()),
        ("value", pa.float64()),
    ]
)


class FlagWriter:
    """Takes checked sources one after the other."""

    def __init__(self, writer: pq.ParquetWriter) -> None:
        self._writer = writer

    def add(self, checked: CheckedSource) -> None:
        """Write what each check that ran flags in this source, in the order of checks, then of negatives."""
        for table in flag_tables(checked):
            self._writer.write_table(table)


@contextmanager
def flag_writer(folder: Path) -> Iterator[FlagWriter]:
    """Yield a writer of FOLDER/flags.parquet; the file appears when all is written, or not at all."""
    with atomic_path(folder / FILE) as temporary, pq.ParquetWriter(temporary, SCHEMA, compression="zstd") as writer:
        yield FlagWriter(writer)


def flag_tables(checked: CheckedSource) -> Iterator[pa.Table]:
    """Yield one table of SCHEMA per check that flagged something."""
    sample = checked.sample
    query_ids = pa.array(sample.query_ids, pa.string())
    for name, outcome in checked.outcomes.items():
        if outcome.finding is None or not outcome.finding.flags.any():
            continue
        at = np.flatnonzero(outcome.finding.flags)
        record = sample.record[at]
        columns = [
            pa.array([sample.name] * len(at), pa.string()),
            pa.array(sample.rows[record]),
            query_ids.take(pa.array(record)),
            pa.array(sample.negative_index[at]),
            pa.array([name] * len(at), pa.string()),
            pa.array(outcome.finding.values[at]),
        ]
        yield pa.Table.from_arrays(columns, schema=SCHEMA)
