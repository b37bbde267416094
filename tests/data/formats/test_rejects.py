"""What cannot be used is put aside with its line and reason, what is broken is an error with its line; nothing else is lost."""

from __future__ import annotations

import json
import os

import pyarrow as pa
import pytest

from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.opening import open_source, open_systems
from negaudit.data.formats.rejects import Rejects
from negaudit.errors import NegauditError

GOOD = {"query": "q", "pos": ["p"], "neg": ["n"]}
BAD = {
    "string_for_list": {"query": "q", "pos": "a string", "neg": ["n"]},
    "not_a_string": {"query": "q", "pos": ["p"], "neg": [None]},
    "not_a_list": {"query": "q", "pos": {"p": 1}, "neg": ["n"]},
    "missing_key": {"pos": ["p"], "neg": ["n"]},
    "lengths_differ": {**GOOD, "neg_scores": [1, 2]},
    "bad_score": {**GOOD, "neg_scores": ["high"]},
    "bad_id": {**GOOD, "query_id": True},
    "not_an_object": [1, 2],
    "not_json": "{'query': 'q'}",
    "half_a_character": '{"query": "\\ud800", "pos": ["p"], "neg": ["n"]}',
}


@pytest.mark.parametrize("reason", BAD)
def test_each_reason_is_written_with_its_line(write_lines, tmp_path, reason):
    path = write_lines([GOOD, BAD[reason], GOOD])
    with Rejects(tmp_path / "rejects.jsonl") as rejects:
        source = open_source(path, rejects=rejects)
    assert source.metadata.counts["records"] == {"read": 3, "used": 2, "rejected": {reason: 1}}
    assert len(list(source.records())) == source.num_records == 2
    written = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["file"], one["line"], one["reason"]) for one in written] == [(str(path), 2, reason)]
    with pytest.raises(NegauditError, match=rf"line 2: .*{reason}"), Rejects(strict=True) as rejects:
        open_source(path, rejects=rejects)


def test_a_string_where_a_list_belongs_says_so(write_lines):
    with pytest.raises(NegauditError, match="pos is a string where a list belongs"):
        open_source(write_lines([BAD["string_for_list"]]))


def test_no_file_is_written_where_nothing_is_rejected(write_lines, tmp_path):
    with Rejects(tmp_path / "rejects.jsonl") as rejects:
        open_source(write_lines([GOOD]), rejects=rejects)
    assert not (tmp_path / "rejects.jsonl").exists()


def test_bytes_that_are_no_text_lose_one_line(tmp_path):
    line = json.dumps(GOOD).encode()
    (tmp_path / "file.jsonl").write_bytes(b"\n".join([line, line.replace(b'"p"', b'"\xff"'), line, b""]))
    assert open_source(tmp_path / "file.jsonl").metadata.counts["records"] == {"read": 3, "used": 2, "rejected": {"not_utf8": 1}}


def test_a_file_that_ends_in_the_middle_of_a_record(write_lines):
    whole = json.dumps(GOOD)
    with pytest.raises(NegauditError, match=r"line 3: the file ends in the middle of a record.*expected a whole JSON object"):
        open_source(write_lines([GOOD, GOOD, whole[:-5]], end=""))


def test_an_array_that_ends_early_or_is_malformed(write_lines):
    row = {"question": "q", "positive_ctxs": [], "negative_ctxs": []}
    for text in (json.dumps([row, row])[:-1], json.dumps([row, row])[:-9], f"[{json.dumps(row)} {json.dumps(row)}]", "[" + json.dumps(row)):
        with pytest.raises(NegauditError, match=r"line 1: element [12] of the JSON array"):
            open_source(write_lines([text], "array.json", end=""))


def test_torn_compression(tmp_path, compress):
    data = compress((json.dumps(GOOD) + "\n").encode() * 5000, "gzip")
    (tmp_path / "torn.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(NegauditError, match=r"line \d+: cannot be read.*complete"):
        open_source(tmp_path / "torn.gz")


def test_torn_tables(tmp_path):
    table = pa.Table.from_pylist([{"anchor": "q", "positive": "p" * 1000, "negative": str(n)} for n in range(5000)])
    with pa.ipc.new_stream(str(tmp_path / "stream"), table.schema) as sink:
        sink.write_table(table, max_chunksize=500)
    data = (tmp_path / "stream").read_bytes()
    (tmp_path / "stream").write_bytes(data[: len(data) // 2])
    with pytest.raises(NegauditError, match=r"row \d+: cannot be read"):
        open_source(tmp_path / "stream")


def test_a_mixed_up_file_says_where_and_what_was_expected(write_lines):
    other = {"query_id": "1", "query": "q", "positive_passages": [{"docid": "1", "text": "p"}], "negative_passages": []}
    with pytest.raises(NegauditError, match=r"line 4: expected an object with query, pos and neg .*found a row of tevatron"):
        open_source(write_lines([GOOD, GOOD, GOOD, other]))


def test_an_odd_first_line_does_not_hide_the_format(write_lines):
    source = open_source(write_lines([{"comment": "made by hand"}, GOOD, GOOD]))
    assert source.metadata.counts["records"] == {"read": 3, "used": 2, "rejected": {"missing_key": 1}}


def test_an_unclosed_quote_in_csv(tmp_path):
    (tmp_path / "open.csv").write_text('anchor,positive,negative\nq,p,n\nq,"p,n\n', encoding="utf-8")
    with pytest.raises(NegauditError, match="line 3: the file ends inside a quoted cell"):
        open_source(tmp_path / "open.csv")


@pytest.mark.parametrize(("text", "message"), [("", "is empty"), (" \n\n", "is empty"), ("just prose\nand more\n", "in no known format")])
def test_what_is_no_file_of_negatives(tmp_path, text, message):
    (tmp_path / "file").write_text(text, encoding="utf-8")
    with pytest.raises(NegauditError, match=message):
        open_source(tmp_path / "file")


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NegauditError, match="no regular file"):
        open_source(tmp_path / "pipe")


def test_a_bad_line_of_a_file_of_systems_is_put_aside_once(write_lines, write_beir, tmp_path):
    folder = write_beir([{"_id": "a", "text": "a"}, {"_id": "b", "text": "b"}], [{"_id": "q", "text": "q"}], ["q\ta\t1"])
    path = write_lines(
        [{"qid": "q", "pos": ["a"], "neg": {"one": ["b"], "two": ["b"]}}, "[]", {"qid": "q", "pos": ["a"], "neg": {"one": ["b"]}}]
    )
    with Rejects(tmp_path / "rejects.jsonl") as rejects:
        sources = open_systems(path, collection=Lookup.from_files(folder / "corpus.jsonl", folder / "queries.jsonl"), rejects=rejects)
    assert [(source.name, source.num_records) for source in sources] == [("one", 2), ("two", 1)]
    assert sources[1].metadata.counts["records"]["rejected"] == {"no_negative_of_system": 1, "not_an_object": 1}
    assert len((tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines()) == 1
