"""Lines come out the same from plain, gzip and zstd files, and what is torn is refused by its line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from negaudit.data.lines import numbered_lines
from negaudit.errors import NegauditError

# NEL, a line separator and a vertical tab end a line for str.splitlines, but not in a file.
LINES = ["first \x85\u2028\x0b still first", "", "   ", "naïve 漢字", "last, without an end"]
EXPECTED = [(1, LINES[0]), (4, LINES[3]), (5, LINES[4])]


@pytest.mark.parametrize("compression", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_lines_are_the_same_whatever_the_compression_line_end_and_name(
    tmp_path: Path, compress: Callable[[bytes, str], bytes], compression: str, end: str, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(compress(end.join(LINES).encode(), compression))
    assert list(numbered_lines(path)) == EXPECTED


def test_gzip_files_joined_together_are_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))
    assert list(numbered_lines(path)) == [(1, "a"), (2, "b")]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert list(numbered_lines(path)) == [(1, "a"), (2, "\ufeffb")]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(b"")
    assert list(numbered_lines(path)) == []


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
@pytest.mark.parametrize("cut", [1, 9, 100])
def test_a_torn_file_is_refused(tmp_path: Path, compress: Callable[[bytes, str], bytes], compression: str, cut: int) -> None:
    path = tmp_path / "torn"
    path.write_bytes(compress("".join(f"line {i * i}\n" for i in range(5000)).encode(), compression)[:-cut])
    with pytest.raises(NegauditError, match=r"torn, line \d+: cannot be read: Truncated compressed stream; is the file complete"):
        list(numbered_lines(path))


def test_bytes_that_are_not_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "latin"
    path.write_bytes(b"fine\nna\xefve\n")
    with pytest.raises(NegauditError, match="latin, line 2: text must be UTF-8, found byte 0xef"):
        list(numbered_lines(path))
