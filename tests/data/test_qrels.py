"""Judgements are read alike from three and four columns, with and without a header; no first line is lost or taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.data.qrels import read_qrels
from negaudit.errors import NegauditError

ROWS = [("7", "d1", 1), ("7", "d2", 0), ("8", "d1", -1)]


def rows(path: Path) -> list[tuple[str, str, int]]:
    return [tuple(row.values()) for row in read_qrels(path).to_pylist()]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "test.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("", "{0}\t{1}\t{2}"),
        ("query-id\tcorpus-id\tscore", "{0}\t{1}\t{2}"),
        ("qid docid grade", "{0} {1} {2}"),
        ("Query_ID\tdoc_id\trelevance", "{0}\t{1}\t{2}"),
        ("score\tcorpus-id\tquery-id", "{2}\t{1}\t{0}"),
        ("", "{0}\t0\t{1}\t{2}"),
        ("", "{0} Q0  {1}  {2}"),
        ("", "{0} 0\t{1} {2}"),
        ("qid\titeration\tdocno\trel", "{0}\t0\t{1}\t{2}"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_layout_gives_the_same_judgements(tmp_path: Path, header: str, row: str, end: str) -> None:
    lines = ([header] if header else []) + [row.format(*values) for values in ROWS]
    assert rows(written(tmp_path, end.join(lines) + end)) == ROWS


def test_a_first_line_that_is_a_judgement_is_kept(tmp_path: Path) -> None:
    assert rows(written(tmp_path, "query-id\tcorpus-id\t1\n")) == [("query-id", "corpus-id", 1)]


def test_a_first_line_that_is_neither_header_nor_judgement_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        NegauditError, match=r"test\.tsv, line 1: the grade must be an integer, found 'high'; expected query-id corpus-id score"
    ):
        read_qrels(written(tmp_path, "7\td1\thigh\n7\td2\t1\n"))


@pytest.mark.parametrize("grade", ["1.5", "", "x", "1_0", "٣", "99999999999", "2147483648", "nan"])
def test_a_grade_that_is_no_integer_is_refused_with_its_line(tmp_path: Path, grade: str) -> None:
    with pytest.raises(NegauditError, match="line 3: the grade must be an integer"):
        read_qrels(written(tmp_path, f"7\td1\t1\n\n7\td2\t{grade}\n"))


@pytest.mark.parametrize(("line", "found"), [("7\td2", 2), ("7 0 d2 1", 4), ("7 0 d 2 1", 5)])
def test_a_line_of_another_width_is_refused(tmp_path: Path, line: str, found: int) -> None:
    with pytest.raises(NegauditError, match=f"line 2: expected 3 columns as in the lines before, found {found}"):
        read_qrels(written(tmp_path, f"7\td1\t1\n{line}\n"))


def test_a_file_of_two_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="line 1: expected 3 or 4 columns"):
        read_qrels(written(tmp_path, "7\td1\n"))


def test_tabs_let_ids_hold_spaces(tmp_path: Path) -> None:
    assert rows(written(tmp_path, "a query\ta passage\t1\n")) == [("a query", "a passage", 1)]


def test_a_later_header_line_is_no_header(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="line 2: the grade must be an integer, found 'score'"):
        read_qrels(written(tmp_path, "7\td1\t1\nquery-id\tcorpus-id\tscore\n"))
