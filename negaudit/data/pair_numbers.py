"""The per-pair numbers of a scored run, for one record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.errors import NegauditError

_KEYS = ("record", "query_id", "negative_index", "negative_id", "origin")


def pair_numbers(folder: Path, source: str, row: int, query_id: str) -> dict[int, dict[str, Any]]:
    """Return for record `row` of a scored source, by the place of each negative in its list, the numbers of its pair (psi, rho …).

    `folder` is what `negaudit score --out` wrote. Raises NegauditError where it has no such source, or the record there is of another query.
    """
    path = folder / source / "negatives.parquet"
    if not path.is_file():
        there = sorted(found.parent.name for found in folder.glob("*/negatives.parquet"))
        raise NegauditError(f"{path}: no such file; {folder} has scores of {', '.join(there) or 'no source'} (--name says which)")
    try:
        table = pq.read_table(path, filters=[("record", "=", row)])
    except (pa.ArrowException, OSError) as error:
        raise NegauditError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from error
    rows = table.to_pylist()
    if any(pair["query_id"] != query_id for pair in rows):
        raise NegauditError(f"{path}: record {row} is of query {rows[0]['query_id']}, not {query_id}; was another file scored there?")
    return {pair["negative_index"]: {name: value for name, value in pair.items() if name not in _KEYS} for pair in rows}
