"""Selection: from a query's ranking to its negatives, through all filters in their order, with an account that adds up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import LabelledQuery
from negaudit.data.metadata import Account
from negaudit.data.record import Negative
from negaudit.mining.exclusion import Exclusion, Reasons, alive, mark
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.passages import Passages, Positions
from negaudit.mining.ranking import Ranking

Scores = npt.NDArray[np.float32]
# Given a query (its number) and passages by position, returns their scores, NaN where one has none.
Scorer = Callable[[int, Positions], Scores]


@dataclass(frozen=True, slots=True)
class Selection:
    """A query's negatives, the account of the candidates read for them, and how many of them repeat an earlier one's folded text."""

    negatives: tuple[Negative, ...]
    account: Account
    repeats: int


@dataclass(frozen=True, slots=True)
class _Candidates:
    """A query's candidates in the miner's order, with the scores that the filters go by."""

    ranking: Ranking
    scores: Scores
    reasons: Reasons
    positive: float


@dataclass(frozen=True)
class Selector:
    """Applies `filters` to rankings; `scores` gives the miner's score of any passage, `rescores` the cross-encoder's where there is one."""

    passages: Passages
    k: int
    filters: CandidateFilters
    origin: str
    exclusion: Exclusion
    scores: Scorer
    rescores: Scorer | None = None

    @property
    def limit(self) -> int | None:
        """How far down a ranking candidates are read; None for as far as it takes."""
        return self.filters.limit(self.k, self.rescores is not None)

    def select(self, number: int, query: LabelledQuery, ranking: Ranking) -> Selection:
        """Return what is left of `ranking` for the query with this number."""
        return self._chosen(self.filters, self._scored(number, query, ranking), query)

    def sweep(self, number: int, query: LabelledQuery, ranking: Ranking, margins: list[float]) -> list[Selection]:
        """Return the selection under each relative margin, everything else equal; the scores are taken once."""
        candidates = self._scored(number, query, ranking)
        return [self._chosen(replace(self.filters, relative_margin=margin), candidates, query) for margin in margins]

    def _scored(self, number: int, query: LabelledQuery, ranking: Ranking) -> _Candidates:
        if self.limit is not None:
            ranking = Ranking(ranking.positions[: self.limit], ranking.scores[: self.limit])
        reasons = self.exclusion.reasons(query, ranking.positions)
        if self.filters.ranks is not None:
            ranks = np.arange(1, len(reasons) + 1)
            mark(reasons, (ranks < self.filters.ranks[0]) | (ranks > self.filters.ranks[1]), "outside_ranks")
        scores = ranking.scores
        first = np.array([self.passages.position[query.positive_ids[0]]], np.int64)
        if self.rescores is not None:
            left = alive(reasons)
            new = self.rescores(number, np.concatenate([first, ranking.positions[left]]))
            scores = scores.copy()
            scores[left] = new[1:]
            return _Candidates(ranking, scores, reasons, float(new[0]))
        positive = float(self.scores(number, first)[0]) if self.filters.need_positive else float("nan")
        return _Candidates(ranking, scores, reasons, positive)

    def _chosen(self, filters: CandidateFilters, candidates: _Candidates, query: LabelledQuery) -> Selection:
        reasons = candidates.reasons.copy()
        _apply_scores(filters, candidates.scores, candidates.positive, reasons)
        left = np.flatnonzero(alive(reasons))
        ordered = left[self._order(filters, candidates, left, query)]
        chosen = ordered[: self.k]
        read = len(reasons)
        if filters.sampling == "top" and self.rescores is None and len(chosen) == self.k:
            read = int(chosen[-1]) + 1
        reasons[ordered[self.k :]] = "beyond_k"
        # Under random sampling too the negatives stand best first.
        chosen = chosen[self._by_score(candidates, chosen)]
        rejected = Counter(reason for reason in reasons[:read] if reason is not None)
        return Selection(self._negatives(candidates, chosen), Account(read, len(chosen), dict(rejected)), self._repeats(candidates, chosen))

    def _order(self, filters: CandidateFilters, candidates: _Candidates, left: Positions, query: LabelledQuery) -> Positions:
        if filters.sampling == "top":
            return self._by_score(candidates, left)
        ids = [self.passages.ids[position] for position in candidates.ranking.positions[left]]
        keys = -np.log(uniform(filters.seed, query.query_id, ids))  # exponential: the smallest k are k drawn without replacement
        if filters.sampling == "softmax":
            # In logarithms, since exp(score / temperature) can overflow; the largest are drawn (Gumbel).
            scores = candidates.scores[left].astype(np.float64)
            with np.errstate(over="ignore"):  # at the coldest temperatures all but the best are infinitely far, and drawn best first
                keys = -((scores - scores.max(initial=-np.inf)) / filters.temperature - np.log(keys))
        return np.lexsort((self.passages.id_order[candidates.ranking.positions[left]], -candidates.scores[left], keys))

    def _by_score(self, candidates: _Candidates, places: Positions) -> Positions:
        return np.lexsort((self.passages.id_order[candidates.ranking.positions[places]], -candidates.scores[places]))

    def _negatives(self, candidates: _Candidates, places: Positions) -> tuple[Negative, ...]:
        texts, ids = self.passages.texts, self.passages.ids
        return tuple(
            Negative(texts[position], self.origin, ids[position], int(place) + 1, float(score))
            for place, position, score in zip(places, candidates.ranking.positions[places], candidates.scores[places], strict=True)
        )

    def _repeats(self, candidates: _Candidates, places: Positions) -> int:
        return len(places) - len(np.unique(self.passages.fold[candidates.ranking.positions[places]]))


def _apply_scores(filters: CandidateFilters, scores: Scores, positive: float, reasons: Reasons) -> None:
    exact = scores.astype(np.float64)
    mark(reasons, ~np.isfinite(exact), "unscored")
    if filters.max_score is not None:
        mark(reasons, exact > filters.max_score, "max_score")
    if filters.min_score is not None:
        mark(reasons, exact < filters.min_score, "min_score")
    if filters.need_positive and not np.isfinite(positive):
        mark(reasons, np.ones(len(reasons), np.bool_), "positive_unscored")
    if filters.margin is not None:
        mark(reasons, exact > positive - filters.margin, "margin")
    if filters.relative_margin is not None:
        mark(reasons, exact > positive - (1 - filters.relative_margin) * abs(positive), "relative_margin")


def uniform(seed: int, query_id: str, ids: list[str]) -> npt.NDArray[np.float64]:
    """Return for each passage id a number drawn uniformly from (0, 1): a function of (seed, query id, passage id) alone."""
    start = blake2b(json.dumps([seed, query_id]).encode(), digest_size=8)
    drawn = []
    for passage in ids:
        digest = start.copy()
        digest.update(passage.encode("utf-8", "surrogatepass"))
        drawn.append(((int.from_bytes(digest.digest(), "big") >> 12) + 0.5) / (1 << 52))
    return np.array(drawn, np.float64)
