"""Exclusion: the negatives of a ranking are its best passages that are no labelled positive, by id or by folded text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negaudit.data.collection import LabelledQuery
from negaudit.data.record import Negative
from negaudit.mining.passages import Passages
from negaudit.mining.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Selection:
    """A query's negatives, and how many passages were looked at for them and removed as positives, by id and by text alone."""

    negatives: tuple[Negative, ...]
    looked_at: int
    positive_id: int
    positive_text: int


def select_negatives(ranking: Ranking, query: LabelledQuery, passages: Passages, k: int, origin: str) -> Selection:
    """Return the first `k` passages of `ranking` that are no positive of `query`; ranks are 1-based, counted before exclusion."""
    is_positive = np.isin(ranking.positions, passages.same_as(query.positive_ids))
    kept = np.flatnonzero(~is_positive)[:k]
    looked_at = int(kept[-1]) + 1 if len(kept) == k else len(ranking.positions)
    removed = ranking.positions[:looked_at][is_positive[:looked_at]]
    ids = set(query.positive_ids)
    by_id = sum(passages.ids[position] in ids for position in removed)
    negatives = tuple(
        Negative(passages.texts[position], origin, passages.ids[position], int(place) + 1, float(score))
        for place, position, score in zip(kept, ranking.positions[kept], ranking.scores[kept], strict=True)
    )
    return Selection(negatives, looked_at, by_id, len(removed) - by_id)
