"""Judgements held against the texts they speak of: dangling and repeated ones are taken out and counted."""

from __future__ import annotations

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.metadata import Account
from negaudit.data.texts import Texts


def resolve_judgements(judgements: pa.Table, queries: Texts, passages: Texts) -> tuple[pa.Table, Account]:
    """Return the judgements of usable queries and passages, in line order, and their account.

    `judgements` and the result are tables of qrels.SCHEMA. Reasons, the first that holds: `unknown_query`, `empty_query`,
    `unknown_passage`, `empty_passage`; of those left the first judgement of a pair counts, and a later one is `repeated` (same grade)
    or `conflicting` (another).
    """
    reason = _dangling(judgements["query_id"], queries, "query").fill_null(_dangling(judgements["passage_id"], passages, "passage"))
    frame = pl.DataFrame(judgements).with_columns(reason=reason).with_row_index("row")
    pairs = frame.filter(pl.col("reason").is_null())
    again = pairs.with_columns(
        first=pl.col("row").is_first_distinct() & pl.struct("query_id", "passage_id").is_first_distinct(),
        first_grade=pl.col("grade").first().over("query_id", "passage_id"),
    )
    kept = again.filter("first")
    late = again.filter(~pl.col("first"))
    repeated = int((late["grade"] == late["first_grade"]).sum())
    rejected = dict(frame["reason"].drop_nulls().value_counts().iter_rows())
    rejected |= {name: count for name, count in (("repeated", repeated), ("conflicting", late.height - repeated)) if count}
    table = judgements if not rejected else judgements.take(kept["row"].to_arrow())
    return table, Account(judgements.num_rows, table.num_rows, rejected)


def _dangling(ids: pa.ChunkedArray, texts: Texts, what: str) -> pl.Series:
    """Return for each id why no judgement can use it, null where one can."""
    usable = pl.Series(pc.is_in(ids, value_set=texts.table["id"]))
    empty = pl.Series(pc.is_in(ids, value_set=texts.empty_ids))
    frame = pl.DataFrame({"usable": usable, "empty": empty})
    reason = pl.when("usable").then(None).when("empty").then(pl.lit(f"empty_{what}")).otherwise(pl.lit(f"unknown_{what}"))
    return frame.select(reason=reason.cast(pl.String))["reason"]
