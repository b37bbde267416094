"""A grouping of pairs by a column of a table that the user has about queries or negatives."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from negaudit.comparing.groups import NONE, OTHER, Grouping
from negaudit.comparing.scored import ScoredSource
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    import polars as pl

KEYS = ("source", "query_id", "negative_index", "negative_id")
CATEGORIES = 20
QUARTILES = (0.25, 0.5, 0.75)


def by_column(sources: Mapping[str, ScoredSource], path: Path, column: str) -> Grouping:
    """Group pairs by `column` of the table at `path` (CSV or Parquet), joined on those of KEYS that the table has.

    Numbers of more than CATEGORIES values are cut at their quartiles; of other values the CATEGORIES commonest have a group each and the
    rest are in one. A pair that the table does not know is in no group. Raises NegauditError for a table that cannot be joined.
    """
    table, keys = _read(path, column)
    joined = {name: _pairs(source).join(table, on=keys, how="left", maintain_order="left")[column] for name, source in sources.items()}
    if all(values.null_count() == len(values) for values in joined.values()):
        raise NegauditError(f"{path}: no row is about a scored pair (joined on {', '.join(keys)}); are the ids the same?")
    labels, codes = _labelled(table[column])
    numbers = dict(zip(table[column].to_list(), codes, strict=True))
    return Grouping(labels, {name: np.array([numbers.get(v, NONE) for v in values.to_list()], np.int64) for name, values in joined.items()})


def _read(path: Path, column: str) -> tuple[pl.DataFrame, list[str]]:
    """Return the key columns and `column` of the table, ids as text, and which keys there are."""
    import polars as pl

    try:
        parquet = path.open("rb").read(4) == b"PAR1"
        table = pl.read_parquet(path) if parquet else pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise NegauditError(f"{path}: cannot be read as CSV or Parquet ({str(error).splitlines()[0]})") from error
    keys = [key for key in KEYS if key in table.columns and key != column]
    if column not in table.columns or not {"query_id", "negative_id"} & set(keys):
        raise NegauditError(
            f"{path}: expected a column '{column}' and query_id or negative_id to join it on, found {', '.join(table.columns)}"
        )
    table = (
        table.select([pl.col(key).cast(pl.String) for key in keys] + [pl.col(column).cast(pl.String)])
        .drop_nulls(column)
        .unique(maintain_order=True)
    )
    if table.select(keys).is_duplicated().any():
        raise NegauditError(f"{path}: two rows with other values of '{column}' share {', '.join(keys)}; make them one")
    return table, keys


def _pairs(source: ScoredSource) -> pl.DataFrame:
    import polars as pl

    query_ids = pl.Series("query_id", source.query_ids.to_pylist(), dtype=pl.String).gather(source.pairs.record)
    ids = pl.Series("negative_id", source.negative_ids.to_pylist(), dtype=pl.String)
    index = pl.Series("negative_index", source.pairs.negative_index).cast(pl.String)
    return pl.DataFrame([query_ids, ids, index]).with_columns(pl.lit(source.name).alias("source"))


def _labelled(values: pl.Series) -> tuple[list[str], list[int]]:
    """Return the labels and the number of each value's label."""
    import polars as pl

    numbers = values.cast(pl.Float64, strict=False)
    if numbers.is_finite().fill_null(False).all() and numbers.n_unique() > CATEGORIES:
        edges = np.unique(np.quantile(numbers.to_numpy(), QUARTILES))
        bounds = [f"{edge:g}" for edge in edges]
        labels = [f"up to {bounds[0]}", *(f"{a} to {b}" for a, b in pairwise(bounds)), f"above {bounds[-1]}"]
        return labels, [int(i) for i in np.searchsorted(edges, numbers.to_numpy(), side="left")]
    counts = values.value_counts().sort([pl.col("count"), pl.col(values.name)], descending=[True, False])
    common = sorted(counts[values.name].to_list()[:CATEGORIES])
    number = {label: i for i, label in enumerate(common)}
    return [*common, f"{OTHER} values"], [number.get(value, len(common)) for value in values.to_list()]
