"""Identified texts: what a corpus or a query file comes down to, one usable text per id, the rest counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.jsonl_texts import jsonl_texts
from negaudit.data.lines import check_is_file
from negaudit.data.metadata import Account
from negaudit.data.parquet_collection import parquet_texts
from negaudit.data.spooled_table import spooled
from negaudit.data.tsv_texts import is_tsv, tsv_texts
from negaudit.errors import NegauditError

SCHEMA = pa.schema([("id", pa.string()), ("text", pa.large_string())])


@dataclass(frozen=True)
class Texts:
    """The texts of one file as a table of SCHEMA in file order, none empty, no id repeated; `empty_ids` are those whose text was empty."""

    table: pa.Table
    empty_ids: pa.ChunkedArray
    account: Account


def read_texts(path: Path, what: str) -> Texts:
    """Return the texts of a file of JSON lines, of id⇥text lines (MS MARCO), or of Parquet (by its ending).

    `what` names them in errors ("passage", "query").

    Of a repeated id the first text counts, even where it is empty (the others: `duplicate_id`); an empty or white-space text is left out
    (`empty_text`).
    Raises NegauditError where the file is missing, malformed, or holds no usable text.
    """
    check_is_file(path, f"{what} file")
    read = parquet_texts if path.suffix == ".parquet" else tsv_texts if is_tsv(path) else jsonl_texts
    chunks = read(path)
    texts = _first_non_empty(spooled(_batches(chunks), SCHEMA))
    if not texts.table.num_rows:
        raise NegauditError(
            f"{path}: no usable {what} among the {texts.account.read} read; expected lines with _id and a text that is not empty"
        )
    return texts


def _batches(chunks: Iterable[tuple[list[str], list[str]]]) -> Iterator[pa.RecordBatch]:
    for ids, texts in chunks:
        yield pa.RecordBatch.from_arrays([pa.array(ids, pa.string()), pa.array(texts, pa.large_string())], schema=SCHEMA)


def _first_non_empty(whole: pa.Table) -> Texts:
    first = pl.Series(whole["id"]).is_first_distinct()
    empty = pl.Series(pc.equal(pc.binary_length(whole["text"]), 0))
    kept = first & ~empty
    rejected = {"duplicate_id": int((~first).sum()), "empty_text": int((first & empty).sum())}
    rejected = {reason: count for reason, count in rejected.items() if count}
    # A clean collection, the usual case, is not copied.
    table = spooled(_kept(whole, kept), SCHEMA) if rejected else whole
    empty_ids = whole["id"].filter((first & empty).to_arrow())
    return Texts(table, empty_ids, Account(whole.num_rows, table.num_rows, rejected))


def _kept(whole: pa.Table, kept: pl.Series) -> Iterator[pa.RecordBatch]:
    start = 0
    for batch in whole.to_batches():
        yield batch.filter(kept[start : start + batch.num_rows].to_arrow())
        start += batch.num_rows
