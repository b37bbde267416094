"""The same rows are the same records, whatever holds them: the container and the compression are told by the content."""

from __future__ import annotations

import csv
import json
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from negaudit.data.formats import json_array
from negaudit.data.formats.opening import open_source
from negaudit.errors import NegauditError

ROWS = [
    {"anchor": 'how tall, is a "giraffe"', "positive": "five\nmetres", "negative_1": "six tonnes", "negative_2": "it sleeps\tlittle"},
    {"anchor": "wo leben Pinguine", "positive": "südlich", "negative_1": "Eisbären", "negative_2": None},
]


def as_csv(path: Path, delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(ROWS[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(ROWS)


def as_lines() -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()


def records(path: Path) -> list[tuple[str, ...]]:
    source = open_source(path)
    return [(record.query_id, record.query, *record.positives, *(n.text for n in record.negatives)) for record in source.records()]


@pytest.fixture
def expected(tmp_path):
    path = tmp_path / "plain"
    path.write_bytes(as_lines())
    found = records(path)
    assert [len(record) for record in found] == [5, 4]
    return found


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_compressed_lines(tmp_path, compress, expected, packing):
    path = tmp_path / "misnamed.txt"
    path.write_bytes(compress(as_lines(), packing))
    assert records(path) == expected


def test_json_array_read_in_small_pieces(tmp_path, expected, monkeypatch):
    monkeypatch.setattr(json_array, "_BLOCK", 7)
    path = tmp_path / "rows.jsonl"
    path.write_text("\ufeff \n" + json.dumps(ROWS, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert records(path) == expected


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_csv(tmp_path, expected, delimiter):
    as_csv(tmp_path / "rows.dat", delimiter)
    assert records(tmp_path / "rows.dat") == expected


def test_parquet_and_a_folder_of_it(tmp_path, expected):
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "rows.bin")
    assert records(tmp_path / "rows.bin") == expected
    (tmp_path / "shards").mkdir()
    for number, row in enumerate(ROWS):
        pq.write_table(pa.Table.from_pylist([row], pa.Table.from_pylist(ROWS).schema), tmp_path / "shards" / f"part-{number}.parquet")
    assert records(tmp_path / "shards") == expected


def test_arrow_files_and_streams(tmp_path, expected):
    table = pa.Table.from_pylist(ROWS)
    for name, writer in (("file", pa.ipc.new_file), ("stream", pa.ipc.new_stream)):
        with writer(str(tmp_path / name), table.schema) as sink:
            sink.write_table(table)
        assert records(tmp_path / name) == expected


def test_what_datasets_saves_to_disk(tmp_path, expected):
    datasets = pytest.importorskip("datasets")
    whole = datasets.Dataset.from_list(ROWS)
    whole.save_to_disk(str(tmp_path / "saved"), num_shards=2)
    assert records(tmp_path / "saved") == expected
    datasets.DatasetDict({"train": whole, "test": whole}).save_to_disk(str(tmp_path / "splits"))
    assert records(tmp_path / "splits" / "train") == expected
    with pytest.raises(NegauditError, match=r"several splits; give one of .*test.*train"):
        open_source(tmp_path / "splits")


def test_a_cell_longer_than_the_csv_module_expects(tmp_path):
    long = "word " * 100_000
    (tmp_path / "long.csv").write_text(f"anchor,positive,negative\nq,p,{long}\n", encoding="utf-8")
    assert next(open_source(tmp_path / "long.csv").records()).negatives[0].text == long


def test_the_hub_says_what_is_missing_or_wrong(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(NegauditError, match="pip install huggingface_hub"):
        open_source("hf://datasets/someone/something/file.parquet")


def test_a_file_on_the_hub_is_read_through_its_library(tmp_path, expected, monkeypatch):
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "file.parquet")

    class Hub:  # the real one cannot be reached from here
        def open(self, address: str, mode: str):
            assert address == "hf://datasets/someone/something/file.parquet"
            return (tmp_path / "file.parquet").open(mode)

    monkeypatch.setattr("huggingface_hub.HfFileSystem", Hub)
    assert records("hf://datasets/someone/something/file.parquet") == expected


def test_a_large_array_in_one_line_is_not_held_in_memory(tmp_path):
    row = {"question": "q", "positive_ctxs": [{"title": "", "text": "p" * 1000}], "negative_ctxs": [{"title": "", "text": "n" * 9000}]}
    with (tmp_path / "large.json").open("w", encoding="utf-8") as file:
        file.write("[" + ", ".join([json.dumps(row)] * 4000) + "]")
    tracemalloc.start()
    source = open_source(tmp_path / "large.json")
    batches = sum(batch.num_rows for batch in source.batches(64))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert batches == source.num_records == 4000
    assert peak < (tmp_path / "large.json").stat().st_size / 4


@pytest.mark.parametrize("number", [7, 7.0, "7"])
def test_a_number_and_a_string_are_the_same_id(write_lines, number):
    path = write_lines([{"query_id": number, "query": "q", "positive_passages": [{"docid": number, "text": "p"}], "negative_passages": []}])
    record = next(open_source(path).records())
    assert (record.query_id, record.positive_ids) == ("7", ("7",))


def test_a_name_can_be_taken_once():
    from negaudit.data.formats.format import get_format, register

    with pytest.raises(ValueError, match="two formats are named 'gpl'"):
        register(get_format("gpl"))
    with pytest.raises(NegauditError, match="did you mean 'flagembedding'"):
        get_format("flagembeding")
