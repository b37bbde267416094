"""A source gives its records back in order, in bounded batches, and says in one line why a file cannot be one."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.schema import source_schema
from negaudit.data.source import NegativeSource, by_name
from negaudit.errors import NegauditError

META = SourceMetadata("mine")
RECORDS = [
    Record("1", "why", ("because", "so"), (Negative("no", "bm25", "d3", 1, 2.5), Negative("nay", "bm25", "d4", 2, 1.5)), ("d1", "d2")),
    Record("2", "how", ("thus",), (Negative("never", "llm"),), (None,)),
]


def foreign(tmp_path: Path, table: pa.Table, **options: object) -> NegativeSource:
    path = tmp_path / "foreign.parquet"
    pq.write_table(table, path, **options)
    return NegativeSource.from_parquet(path)


def test_records_come_back_as_they_went_in() -> None:
    source = NegativeSource.from_records(iter(RECORDS), META)
    assert list(source.records()) == RECORDS
    assert (source.num_records, source.replaced, source.role) == (2, False, "candidate")


def test_replaced_is_kept_where_any_negative_says_it() -> None:
    marked = Record("3", "q", ("p",), (Negative("n", "random", replaced=True),))
    source = NegativeSource.from_records([*RECORDS, marked], META)
    assert source.replaced
    assert [n.replaced for record in source.records() for n in record.negatives] == [None, None, None, True]


def test_ids_not_parallel_to_positives_cannot_be() -> None:
    with pytest.raises(ValueError, match="1 positive ids for 2 positives"):
        Record("1", "q", ("a", "b"), (), ("x",))


def test_batches_are_never_empty_nor_larger_than_asked(tmp_path: Path) -> None:
    many = [Record(str(i), "q", ("p",), (Negative("n", "o"),)) for i in range(10)]
    memory = NegativeSource.from_records(many, META)
    batches = memory.to_table().to_batches()
    file = foreign(tmp_path, pa.Table.from_batches([batches[0].slice(0, 0), *batches, batches[0].slice(0, 0)]), row_group_size=3)
    for source in (memory, file):
        assert all(0 < batch.num_rows <= 4 for batch in source.batches(4))
        assert [query_id for batch in source.batches(4) for query_id in batch["query_id"].to_pylist()] == [str(i) for i in range(10)]


def test_files_that_are_missing_torn_or_no_parquet_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="no such file"):
        NegativeSource.from_parquet(tmp_path / "none.parquet")
    with pytest.raises(NegauditError, match="is a folder"):
        NegativeSource.from_parquet(tmp_path)
    path = tmp_path / "x.parquet"
    path.write_text("query_id,query\n")
    with pytest.raises(NegauditError, match="not a Parquet file"):
        NegativeSource.from_parquet(str(path))
    pq.write_table(NegativeSource.from_records(RECORDS, META).to_table(), path)
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    with pytest.raises(NegauditError, match="not a Parquet file"):
        NegativeSource.from_parquet(path)
    source_bytes = bytearray(data)
    source_bytes[4:200] = b"\xff" * 196
    path.write_bytes(source_bytes)
    with pytest.raises(NegauditError, match="cannot be read"):
        list(NegativeSource.from_parquet(path).batches())


def test_a_file_without_our_metadata_is_a_candidate_named_by_its_stem(tmp_path: Path) -> None:
    source = foreign(tmp_path, NegativeSource.from_records(RECORDS, META).to_table())
    assert source.metadata == SourceMetadata("foreign", "candidate")
    assert NegativeSource.from_parquet(tmp_path / "foreign.parquet", "other").metadata.name == "other"


def test_polars_gives_the_records_back(tmp_path: Path) -> None:
    source = NegativeSource.from_records(RECORDS, META)
    frame = source.to_polars()
    assert frame.columns == source_schema().names
    assert list(NegativeSource.from_table(frame.to_arrow(), META).records()) == RECORDS
    frame.write_parquet(tmp_path / "polars.parquet")
    assert list(NegativeSource.from_parquet(tmp_path / "polars.parquet").records()) == RECORDS


def test_two_sources_of_one_name_are_refused() -> None:
    one = NegativeSource.from_records(RECORDS, META)
    other = NegativeSource.from_records(RECORDS, SourceMetadata("other"))
    assert by_name([one, other]) == {"mine": one, "other": other}
    with pytest.raises(NegauditError, match="two sources are named 'mine'"):
        by_name([one, other, one])
