"""Files of others: every layout of the same records is read alike, nulls become what can be counted, the rest is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.schema import source_schema
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError

META = SourceMetadata("mine")
RECORDS = [
    Record("1", "why", ("because", "so"), (Negative("no", "bm25", "d3", 1, 2.5), Negative("nay", "bm25", "d4", 2, 1.5)), ("d1", "d2")),
    Record("2", "how", ("thus",), (Negative("never", "llm"),), (None,)),
]
ROWS = NegativeSource.from_records(RECORDS, META).to_table().to_pylist()


def foreign(tmp_path: Path, table: pa.Table, **options: object) -> NegativeSource:
    path = tmp_path / "foreign.parquet"
    pq.write_table(table, path, **options)
    return NegativeSource.from_parquet(path)


def columns(**changes: pa.Array) -> pa.Table:
    table = NegativeSource.from_records(RECORDS, META).to_table()
    for name, column in changes.items():
        table = table.set_column(table.schema.names.index(name), name, column)
    return table


def negatives(**changes: pa.Array) -> pa.Array:
    column = columns()["negatives"].combine_chunks()
    fields = dict(zip([field.name for field in column.type.value_type], column.flatten().flatten(), strict=True)) | changes
    return pa.ListArray.from_arrays(column.offsets, pa.StructArray.from_arrays(list(fields.values()), list(fields)))


@pytest.mark.parametrize("how", ["polars_view", "polars_large", "large", "fixed", "dictionary", "int_ids", "reordered", "wide_numbers"])
def test_other_layouts_hold_the_same_records(tmp_path: Path, how: str) -> None:
    table = columns()
    large = pa.large_list(pa.struct([("id", pa.large_string()), *[(f.name, f.type) for f in list(table["negatives"].type.value_type)[1:]]]))
    layouts = {
        "polars_view": lambda: pl.DataFrame(table).to_arrow(compat_level=pl.CompatLevel.newest()),
        "polars_large": lambda: pl.DataFrame(table).to_arrow(compat_level=pl.CompatLevel.oldest()),
        "large": lambda: columns(
            negatives=table["negatives"].cast(large), positives=table["positives"].cast(pa.large_list(pa.large_string()))
        ),
        "fixed": lambda: columns().slice(0, 1).set_column(3, "positives", pa.array([["because", "so"]], pa.list_(pa.string(), 2))),
        "dictionary": lambda: columns(query=table["query"].dictionary_encode()),
        "int_ids": lambda: columns(query_id=pa.array([1, 2], pa.uint16())),
        "reordered": lambda: table.select(["negatives", "positives", "query", "query_id", "positive_ids"]).append_column(
            "more", pa.array([1, 2])
        ),
        "wide_numbers": lambda: columns(
            negatives=negatives(rank=pa.array([1.0, 2.0, None]), score=pa.array([2.5, 1.5, None], pa.float64()), more=pa.array([1, 2, 3]))
        ),
    }
    layout = layouts[how]()
    expected = ROWS[:1] if how == "fixed" else ROWS
    assert NegativeSource.from_table(layout, META).to_table().to_pylist() == expected
    if how == "polars_view":
        return  # pyarrow writes no views
    source = foreign(tmp_path, layout)
    assert source.to_table().to_pylist() == expected
    assert source.to_table().schema == source_schema()


def test_a_sliced_table_gives_its_own_rows_only() -> None:
    assert NegativeSource.from_table(columns().slice(1), META).to_table().to_pylist() == ROWS[1:]


def test_nulls_become_what_scoring_can_count(tmp_path: Path) -> None:
    struct = source_schema().field("negatives").type.value_type
    table = pa.table(
        {
            "query_id": ["a", "b", "c", "d"],
            "query": pa.nulls(4),
            "positive_ids": pa.array([None, [], ["x", None], None], pa.list_(pa.string())),
            "positives": pa.array([["p"], ["p", None], ["p", "r"], None], pa.list_(pa.string())),
            "negatives": pa.array([None, [None, {"text": None}], [], [{"text": "n", "origin": "o"}]], pa.list_(struct)),
        }
    )
    for source in (NegativeSource.from_table(table, META), foreign(tmp_path, table)):
        assert list(source.records()) == [
            Record("a", "", ("p",), (), (None,)),
            Record("b", "", ("p", ""), (Negative("", "unknown"), Negative("", "unknown")), (None, None)),
            Record("c", "", ("p", "r"), (), ("x", None)),
            Record("d", "", (), (Negative("n", "o"),), ()),
        ]


def test_columns_of_nulls_only_are_unknown_ids_ranks_scores_and_origins(tmp_path: Path) -> None:
    unknown = {name: pa.nulls(3) for name in ("id", "rank", "score", "origin")}
    source = foreign(tmp_path, columns(positive_ids=pa.nulls(2), negatives=negatives(**unknown)))
    assert [record.positive_ids for record in source.records()] == [(None, None), (None,)]
    assert {negative for record in source.records() for negative in record.negatives} == {
        Negative(text, "unknown") for text in ("no", "nay", "never")
    }


def test_a_null_query_id_is_refused_with_its_row(tmp_path: Path) -> None:
    table = pa.concat_tables([columns(), columns(query_id=pa.array(["3", None]))])
    with pytest.raises(NegauditError, match=r"foreign\.parquet: query_id of row 3 \(counted from 0\) is null"):
        list(foreign(tmp_path, table).batches(1))
    with pytest.raises(NegauditError, match="source 'mine': query_id of row 3"):
        NegativeSource.from_table(table, META)


def test_ids_not_parallel_to_positives_are_refused_with_their_query(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="query 2 has 2 positive_ids for 1 positives"):
        list(foreign(tmp_path, columns(positive_ids=pa.array([["d1", "d2"], ["x", "y"]]))).batches())


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            lambda: columns().drop_columns(["query", "negatives"]),
            "columns query, negatives missing; found query_id, positive_ids, positives",
        ),
        (lambda: pa.table({}), "missing; found no columns"),
        (lambda: columns().append_column("query", pa.array(["x", "y"])), "column query is there more than once"),
        (lambda: columns(query=pa.array([1, 2])), "column query must hold text, found int64"),
        (lambda: columns(query_id=pa.array([1.0, 2.0])), "column query_id must hold strings or integers, found double"),
        (lambda: columns(positives=pa.array(["a", "b"])), "column positives must be a list of texts, found string"),
        (lambda: columns(positives=pa.array([[1], [2]])), "column positives must hold lists of text, found int64"),
        (lambda: columns(negatives=pa.nulls(2)), "column negatives must be a list of structs, found null"),
        (lambda: columns(negatives=pa.array([["a"], ["b"]])), "column negatives must be a list of structs, found a list of string"),
        (
            lambda: columns(negatives=pa.array([[{"id": "a", "text": "b"}], []])),
            "column negatives: fields rank, score, origin missing; found id, text",
        ),
        (lambda: columns(negatives=negatives(rank=pa.array(["a", "b", "c"]))), "column negatives.rank must hold integers, found string"),
        (lambda: columns(negatives=negatives(replaced=pa.array([1, 0, 1]))), "column negatives.replaced must hold true or false"),
    ],
)
def test_what_is_no_source_is_refused_by_column(tmp_path: Path, table: Callable[[], pa.Table], problem: str) -> None:
    made = table()
    with pytest.raises(NegauditError, match="source 'mine'") as caught:
        NegativeSource.from_table(made, META)
    assert problem in str(caught.value)
    with pytest.raises(NegauditError, match=r"foreign\.parquet") as caught:
        foreign(tmp_path, made)
    assert problem in str(caught.value)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"na\xefve", b"x"]).buffers())
    with pytest.raises(NegauditError, match=r"foreign\.parquet: a value does not fit its column \(.*UTF8"):
        list(foreign(tmp_path, columns(query=broken)).batches())


def test_a_value_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    source = foreign(tmp_path, columns(negatives=negatives(rank=pa.array([1.5, 2.0, 3.0]))))
    with pytest.raises(NegauditError, match=r"foreign\.parquet: a value does not fit its column"):
        list(source.batches())
