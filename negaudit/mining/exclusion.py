"""Exclusion: the candidates that can be no negative, whatever they score, each with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from negaudit.data.collection import LabelledQuery
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.passages import Passages, Positions
from negaudit.text.folding import folded
from negaudit.text.tokenizers import get_tokenizer

Reasons = npt.NDArray[np.object_]
# Given passages and positives by position, returns their cosines, of shape (passages, positives); None without embeddings.
Closeness = Callable[[Positions, Positions], npt.NDArray[np.float64] | None]
NEAR_TOKENIZER = "alnum"
TOKEN_SETS = 65_536


class Exclusion:
    """Says of a query's candidates which are excluded; `closeness` compares embeddings, where there are any."""

    def __init__(self, passages: Passages, filters: CandidateFilters, closeness: Closeness | None = None) -> None:
        self._passages = passages
        self._filters = filters
        self._closeness = closeness
        tokenizer = get_tokenizer(NEAR_TOKENIZER)
        self._tokens = lru_cache(TOKEN_SETS)(lambda position: frozenset(tokenizer.tokens(passages.texts[position])))

    def reasons(self, query: LabelledQuery, positions: Positions) -> Reasons:
        """Return for each candidate, in the ranking's order, why it is excluded, None where it is not; the first reason counts."""
        passages = self._passages
        reasons: Reasons = np.full(len(positions), None, dtype=np.object_)
        positives = np.array([passages.position[passage] for passage in query.positive_ids], np.int64)
        mark(reasons, np.isin(positions, positives), "positive_id")
        copies = np.flatnonzero(np.isin(positions, passages.same_as(query.positive_ids)) & alive(reasons))
        exact = set(query.positives)
        for place in copies:
            reasons[place] = "positive_exact_text" if passages.texts[positions[place]] in exact else "positive_text"
        mark(reasons, passages.fold[positions] == passages.fold_of(folded(query.query)), "query_text")
        mark(reasons, passages.fold[positions] == passages.fold_of(""), "empty_text")
        if self._filters.near_duplicate is not None:
            self._near(reasons, positions, positives, self._filters.near_duplicate)
        if self._filters.drop_repeats:
            left = np.flatnonzero(alive(reasons))
            _, first = np.unique(passages.fold[positions[left]], return_index=True)
            reasons[np.delete(left, first)] = "repeat"
        return reasons

    def _near(self, reasons: Reasons, positions: Positions, positives: Positions, least: float) -> None:
        sets = [self._tokens(int(position)) for position in positives]
        for place in np.flatnonzero(alive(reasons)):
            if token_set_similarity(self._tokens(int(positions[place])), sets) >= least:
                reasons[place] = "near_positive"
        left = np.flatnonzero(alive(reasons))
        cosines = None if self._closeness is None else self._closeness(positions[left], positives)
        if cosines is not None:
            reasons[left[cosines.max(axis=1) >= least]] = "near_positive_embedding"


def token_set_similarity(tokens: frozenset[str], others: Sequence[frozenset[str]]) -> float:
    """Return the largest share of distinct tokens that `tokens` has in common with one of `others`, from 0 to 1; 0 without tokens."""
    return max((len(tokens & other) / len(tokens | other) for other in others if tokens or other), default=0.0)


def alive(reasons: Reasons) -> npt.NDArray[np.bool_]:
    """Return which candidates have no reason against them."""
    return np.array([reason is None for reason in reasons], np.bool_)


def mark(reasons: Reasons, removed: npt.NDArray[np.bool_], reason: str) -> None:
    """Note `reason` for the removed ones that nothing removed before."""
    reasons[removed & alive(reasons)] = reason
