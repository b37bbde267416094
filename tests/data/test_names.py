"""Ids and origins read without the texts are those read with them, from whatever layout of file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from negaudit.data.metadata import SourceMetadata
from negaudit.data.names import name_batches
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource

RECORDS = [
    Record("1", "why", ("because", "so"), (Negative("no", "bm25", "d3"), Negative("nay", "bm25", None))),
    Record("2", "how", (), ()),
    Record("3", "who", ("they",), (Negative("", "llm", "d9"), Negative("never", "llm", "d1"))),
]


def names(batches: list[pa.RecordBatch]) -> list[object]:
    rows = pa.Table.from_batches(batches).to_pylist()
    return [(row["query_id"], [(negative["id"], negative["origin"]) for negative in row["negatives"]]) for row in rows]


@pytest.mark.parametrize("layout", ["ours", "polars", "old_names", "null_negative", "in_memory"])
def test_names_are_those_of_the_whole_records(layout: str, tmp_path: Path) -> None:
    path, source = tmp_path / "source.parquet", NegativeSource.from_records(RECORDS, SourceMetadata("source"))
    table = source.to_table()
    if layout == "polars":
        pl.DataFrame(table).write_parquet(path)
    elif layout == "null_negative":
        holes = [[None, {"id": "x", "text": "t", "rank": 1, "score": 1.0, "origin": None}], None, []]
        pq.write_table(table.set_column(4, "negatives", pa.array(holes, table.schema.field("negatives").type)), path)
    else:
        pq.write_table(table, path, use_compliant_nested_type=layout != "old_names")
    if layout != "in_memory":
        source = NegativeSource.from_parquet(path)
    found = list(name_batches(source, 2))
    assert names(found) == names(list(source.batches(2)))
    assert {batch.num_rows for batch in found} == {2, 1}
    if layout != "in_memory":
        assert set(found[0]["query"].to_pylist()) == {""}, "texts were read after all"
