"""What the qrels say of passages, by id and by folded text: grades per query, and which passages are anybody's positive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import FLOATS
from negaudit.data.collection import Collection
from negaudit.text.folding import folded

MIN_RELEVANCE = 1


@dataclass(frozen=True)
class Judged:
    """Grades by (query id, passage id) and (query id, folded text), and the folded texts that are some query's positive."""

    by_id: dict[tuple[str, str], int]
    by_text: dict[tuple[str, str], int]
    positives: frozenset[str]

    @classmethod
    def of(cls, collection: Collection) -> Judged:
        """Return what `collection` judges; of two judgements of one text the higher counts."""
        passages = pl.DataFrame(collection.passages).rename({"id": "passage_id"})
        rows = pl.DataFrame(collection.judgements).join(passages, on="passage_id", how="left")
        by_id: dict[tuple[str, str], int] = {}
        by_text: dict[tuple[str, str], int] = {}
        for query_id, passage_id, grade, text in rows.select("query_id", "passage_id", "grade", "text").iter_rows():
            by_id[query_id, passage_id] = grade
            key = (query_id, folded(text))
            by_text[key] = max(grade, by_text.get(key, grade))
        return cls(by_id, by_text, frozenset(text for (_, text), grade in by_text.items() if grade >= MIN_RELEVANCE))


def judged(context: CheckContext) -> Judged | None:
    """Return what the run's collection judges, made once per run; None without a collection."""
    if context.collection is not None and "judged" not in context.shared:
        context.shared["judged"] = Judged.of(context.collection)
    found: Judged | None = context.shared.get("judged")
    return found


def grades(context: CheckContext) -> FLOATS:
    """Return each negative's grade for its query, NaN where nothing was judged."""
    known = judged(context)
    sample = context.sample
    found = np.full(len(sample), np.nan)
    if known is None:
        return found
    for place, (negative, record) in enumerate(zip(sample.negatives, sample.record.tolist(), strict=True)):
        query_id = sample.query_ids[record]
        grade = known.by_id.get((query_id, negative.id)) if negative.id is not None else None
        if grade is None or grade < MIN_RELEVANCE:
            grade = known.by_text.get((query_id, folded(negative.text)), grade)
        if grade is not None:
            found[place] = grade
    return found
