"""What is written is what is read; equal records give equal bytes and fingerprints however they are batched; failure leaves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.data.store import ROW_GROUP, row_groups, write_batches, write_source
from negaudit.errors import NegauditError

META = SourceMetadata("mine", "control", origins={"o": {"seed": 0}}, counts={"records": {"read": 1, "used": 1, "rejected": {}}})
text = st.text(st.characters(codec="utf-8"), max_size=12)
unknown_or = st.none() | text
negative = st.builds(
    Negative,
    text=text,
    origin=text,
    id=unknown_or,
    rank=st.none() | st.integers(-(2**31), 2**31 - 1),
    score=st.none() | st.floats(width=32, allow_nan=False),
    replaced=st.none() | st.booleans(),
)


@st.composite
def record(draw: st.DrawFn) -> Record:
    positives = tuple(draw(st.lists(text, max_size=3)))
    ids = tuple(draw(st.lists(unknown_or, min_size=len(positives), max_size=len(positives))))
    return Record(draw(text), draw(text), positives, tuple(draw(st.lists(negative, max_size=3))), ids)


def numbered(count: int) -> list[Record]:
    return [Record(f"q{i}", f"query {i}", (f"p{i}",), (Negative(f"n{i}", "o", None if i % 3 else f"d{i}", i % 7),)) for i in range(count)]


def rebatched(table: pa.Table, sizes: list[int]) -> Iterator[pa.RecordBatch]:
    start = turn = 0
    while start < table.num_rows:
        yield from table.slice(start, sizes[turn % len(sizes)]).combine_chunks().to_batches()
        start, turn = start + sizes[turn % len(sizes)], turn + 1


@settings(deadline=None, max_examples=60)
@given(st.lists(record(), max_size=5))
def test_any_records_survive_the_file(records: list[Record]) -> None:
    source = NegativeSource.from_records(records, META)
    with TemporaryDirectory() as folder:
        stored = NegativeSource.from_parquet(write_source(source, Path(folder) / "mine.parquet"))
        assert list(stored.records()) == records
        assert stored.metadata == META
        assert (stored.num_records, stored.replaced) == (source.num_records, source.replaced)
        assert stored.fingerprint() == source.fingerprint()


@settings(deadline=None, max_examples=60)
@given(st.lists(record(), max_size=4), st.lists(record(), max_size=4))
def test_fingerprints_are_equal_where_the_records_are(one: list[Record], other: list[Record]) -> None:
    sources = [NegativeSource.from_records(records, META) for records in (one, other)]
    # By repr, since 0.0 and -0.0 are equal but not the same content.
    assert (sources[0].fingerprint() == sources[1].fingerprint()) == (repr(one) == repr(other))


def test_equal_records_give_equal_bytes_and_fingerprints_whatever_their_batches(tmp_path: Path) -> None:
    table = NegativeSource.from_records(numbered(2 * ROW_GROUP + 500), META).to_table()
    files, digests = set(), set()
    for number, sizes in enumerate([[table.num_rows], [1000], [ROW_GROUP], [ROW_GROUP - 1, 2], [3, 5000]]):
        path = write_batches(rebatched(table, sizes), META, tmp_path / f"{number}.parquet")
        files.add(path.read_bytes())
        digests |= {NegativeSource.from_table(pa.Table.from_batches(rebatched(table, sizes)), META).fingerprint()}
        digests |= {NegativeSource.from_parquet(path).fingerprint()}
        metadata = pq.read_metadata(path)
        assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [ROW_GROUP, ROW_GROUP, 500]
    assert (len(files), len(digests)) == (1, 1)


def test_no_more_than_one_row_group_is_held_at_a_time() -> None:
    table = NegativeSource.from_records(numbered(3 * ROW_GROUP), META).to_table()
    taken: list[int] = []

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in rebatched(table, [1000]):
            taken.append(batch.num_rows)
            yield batch

    for number, group in enumerate(row_groups(batches()), start=1):
        assert sum(batch.num_rows for batch in group) == ROW_GROUP
        assert sum(taken) < number * ROW_GROUP + 1000


def test_a_foreign_layout_is_written_as_ours(tmp_path: Path) -> None:
    ours = NegativeSource.from_records(numbered(10), META)
    foreign = ours.to_polars().to_arrow()
    one = write_source(ours, tmp_path / "a.parquet").read_bytes()
    assert write_batches(foreign.to_batches(), META, tmp_path / "b.parquet").read_bytes() == one
    pq.write_table(foreign, tmp_path / "foreign.parquet", compression="snappy", row_group_size=3)
    stored = NegativeSource.from_parquet(tmp_path / "foreign.parquet")
    assert write_batches(stored.batches(), META, tmp_path / "c.parquet").read_bytes() == one


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"name": "other", "role": "genuine"}, True),
        ({"order": True}, False),
        ({"text": "changed"}, False),
    ],
)
def test_the_fingerprint_is_of_the_records_and_their_order_alone(change: dict[str, object], same: bool) -> None:
    records = numbered(5)
    changed = list(reversed(records)) if "order" in change else records
    if "text" in change:
        changed = [Record("q0", "query 0", ("p0",), (Negative("changed", "o", "d0", 0),)), *records[1:]]
    meta = SourceMetadata(str(change.get("name", "mine")))
    assert (NegativeSource.from_records(changed, meta).fingerprint() == NegativeSource.from_records(records, META).fingerprint()) is same


def test_text_cannot_move_between_fields_without_changing_the_fingerprint() -> None:
    lists = [
        [Record("ab", "c", ("d", "e"), ()), Record("f", "g", (), ())],
        [Record("a", "bc", ("d", "e"), ()), Record("f", "g", (), ())],
        [Record("ab", "c", ("d",), ()), Record("f", "g", ("e",), ())],
        [Record("ab", "c", ("de", ""), ()), Record("f", "g", (), ())],
        [Record("ab", "c", ("", "de"), ()), Record("f", "g", (), ())],
    ]
    assert len({NegativeSource.from_records(records, META).fingerprint() for records in lists}) == len(lists)


def test_a_source_of_no_records_is_written_and_opened(tmp_path: Path) -> None:
    stored = NegativeSource.from_parquet(write_source(NegativeSource.from_records([], META), tmp_path / "mine.parquet"))
    assert (stored.num_records, list(stored.batches()), list(stored.records()), stored.to_table().num_rows) == (0, [], [], 0)
    assert stored.to_polars().height == 0


def test_a_failure_half_way_leaves_nothing(tmp_path: Path) -> None:
    table = NegativeSource.from_records(numbered(2 * ROW_GROUP), META).to_table()

    def failing() -> Iterator[pa.RecordBatch]:
        yield from table.to_batches()
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write_batches(failing(), META, tmp_path / "mine.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_torn_input_leaves_nothing_and_is_named(tmp_path: Path) -> None:
    good = write_source(NegativeSource.from_records(numbered(50), META), tmp_path / "in.parquet")
    data = bytearray(good.read_bytes())
    data[4:300] = b"\xff" * 296
    good.write_bytes(data)
    with pytest.raises(NegauditError, match=r"in\.parquet: cannot be read"):
        write_source(NegativeSource.from_parquet(good), tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_a_place_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NegauditError, match="cannot write") as caught:
        write_source(NegativeSource.from_records(numbered(3), META), tmp_path / "file" / "mine.parquet")
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_can_be_written_over_itself(tmp_path: Path) -> None:
    path = write_source(NegativeSource.from_records(numbered(10), META), tmp_path / "mine.parquet")
    before = path.read_bytes()
    write_source(NegativeSource.from_parquet(path), path)
    assert path.read_bytes() == before


def test_no_time_or_place_gets_into_the_bytes(tmp_path: Path) -> None:
    source = NegativeSource.from_records(numbered(10), META)
    assert write_source(source, tmp_path / "a" / "x.parquet").read_bytes() == write_source(source, tmp_path / "b.parquet").read_bytes()
