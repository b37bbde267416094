"""What holds the records of a file, told by its content: JSON lines, a JSON array, CSV, columns, Parquet or Arrow."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from negaudit.data.formats.remote import HUB
from negaudit.data.lines import open_text
from negaudit.errors import NegauditError

Kind = Literal["jsonl", "json", "csv", "columns", "parquet", "arrow"]
_START = 1 << 16
_BOM = b"\xef\xbb\xbf"
# A first line is a header where it names a query and a passage; anything else there is data.
_QUERY_COLUMNS = {"anchor", "query", "question", "user_query"}
_PASSAGE_COLUMNS = {"positive", "answer", "pos", "negative", "negative_1", "positive_document"}


@dataclass(frozen=True, slots=True)
class Container:
    """A file or folder and what kind of rows are in it; `delimiter` is that of CSV."""

    path: Path
    kind: Kind
    delimiter: str = ","


def container_of(path: Path) -> Container:
    """Return what `path` holds; raises NegauditError where it is missing, empty, or nothing that holds records."""
    if str(path).startswith(HUB):
        return Container(path, "parquet")
    if path.is_dir():
        return Container(path, _folder_kind(path))
    if not path.exists():
        raise NegauditError(f"{path}: no such file; expected a file of negatives")
    try:
        with open(path, "rb") as file:
            magic = file.read(6)
        if magic[:4] == b"PAR1":
            return Container(path, "parquet")
        if magic == b"ARROW1" or magic[:4] == b"\xff\xff\xff\xff":
            return Container(path, "arrow")
        with open_text(path) as stream:
            start = stream.read(_START)
    except OSError as error:
        raise NegauditError(f"{path}, line 1: cannot be read: {error.strerror or error}; is the file complete?") from error
    return _text_container(path, start.removeprefix(_BOM))


def _folder_kind(path: Path) -> Kind:
    if (path / "dataset_dict.json").is_file():
        splits = sorted(folder.name for folder in path.iterdir() if folder.is_dir())
        raise NegauditError(f"{path}: holds several splits; give one of {', '.join(str(path / split) for split in splits)}")
    if any(path.glob("*.arrow")):
        return "arrow"
    if any(path.glob("*.parquet")):
        return "parquet"
    raise NegauditError(f"{path}: a folder without .arrow or .parquet files; give a `save_to_disk` folder, a folder of Parquet, or a file")


def _text_container(path: Path, start: bytes) -> Container:
    begins = start.lstrip()[:1]
    if not begins:
        raise NegauditError(f"{path}: is empty; expected records")
    if begins == b"[":
        return Container(path, "json")
    if begins == b"{":
        return Container(path, "jsonl")
    first = start.lstrip(b"\r\n").split(b"\n", 1)[0].decode("utf-8", "replace")
    for delimiter in ("\t", ","):
        names = {name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])}
        if names & _QUERY_COLUMNS and names & _PASSAGE_COLUMNS:
            return Container(path, "csv", delimiter)
    return Container(path, "columns")
