"""A BM25 index over a collection's passages: bm25s over negaudit's own tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.data.text_column import TextColumn
from negaudit.errors import NegauditError, unknown_name
from negaudit.mining.bm25_place import IndexPlace, InMemory
from negaudit.mining.bm25_terms import CorpusTerms, count_terms
from negaudit.text.tokenizers import Tokenizer, get_tokenizer

# With these a passage scores above zero only where it shares a term with the query, which is what makes it a candidate.
METHODS = ("atire", "lucene", "robertson")
DELTA = 0.5  # bm25s asks for it; none of these methods uses it
# bm25s' numba back end takes five seconds to compile: below this many query-passage pairs its numpy back end is done sooner.
# Their scores are the same, bit for bit.
WORTH_COMPILING = 50_000_000


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    """The parameters that fix a BM25 ranking; raises NegauditError where one is out of range."""

    method: str = "lucene"
    k1: float = 1.5
    b: float = 0.75
    tokenizer: str = "alnum"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown_name("BM25 method", self.method, METHODS)
        if not (np.isfinite(self.k1) and self.k1 >= 0):
            raise NegauditError(f"k1 is {self.k1}: expected a number of at least 0")
        if not 0 <= self.b <= 1:
            raise NegauditError(f"b is {self.b}: expected a number from 0 to 1")


class Bm25Index:
    """Precomputed BM25 scores of each term in each passage, float32. No stop words, no stemming but the tokenizer's own.

    `index` is bm25s' own; its vocabulary numbers the tokens that some passage has.
    """

    def __init__(self, index: Any, tokenizer: Tokenizer) -> None:
        # bm25s asks of each term whether it is one; a set of them all would take as much room as the vocabulary.
        index.unique_token_ids_set = range(len(index.vocab_dict))
        self.index = index
        self._terms: Mapping[str, int] = index.vocab_dict
        self._tokenizer = tokenizer

    @classmethod
    def built(cls, texts: TextColumn, parameters: Bm25Parameters, queries: int, place: IndexPlace | None = None) -> Bm25Index:
        """Return the index of `texts`, to be asked for `queries` queries, built in memory or in a `place` on disk.

        Raises NegauditError where no text has a token.
        """
        import bm25s

        tokenizer, place = get_tokenizer(parameters.tokenizer), InMemory() if place is None else place
        corpus = count_terms(texts, tokenizer, place)
        if not corpus.numbers:
            raise NegauditError(f"no passage has a token under tokenizer '{parameters.tokenizer}'; BM25 has nothing to match")
        backend = backend_for(queries * len(texts))
        index = bm25s.BM25(k1=parameters.k1, b=parameters.b, method=parameters.method, backend=backend)
        index.scores, index.nonoccurrence_array = scored_terms(corpus, place, parameters), None
        index.vocab_dict = corpus.numbers
        return cls(index, tokenizer)

    def query_terms(self, queries: Sequence[str]) -> list[list[int]]:
        """Return each query's terms that some passage has, in order, repeats included (a repeated term counts twice)."""
        terms = self._terms
        return [[terms[token] for token in self._tokenizer.tokens(query) if token in terms] for query in queries]

    def top(self, queries: list[list[int]], depth: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Return positions and scores of `depth` best passages per query (none of them without terms), both (queries, depth).

        Which of the passages that tie at the last score are among them is arbitrary.
        """
        found = self.index.retrieve(queries, k=depth, show_progress=False)
        return found.documents.astype(np.int64), found.scores.astype(np.float32)

    def scores(self, terms: list[int]) -> npt.NDArray[np.float32]:
        """Return the scores of all passages for one query's terms."""
        return np.asarray(self.index.get_scores_from_ids(terms), np.float32)


def backend_for(pairs: int) -> str:
    """Return bm25s' back end for this many query-passage pairs: numba where it is installed and pays, else numpy."""
    return "auto" if pairs >= WORTH_COMPILING else "numpy"


def scored_terms(corpus: CorpusTerms, place: IndexPlace, parameters: Bm25Parameters) -> dict[str, Any]:
    """Return the scores of each term in each passage as bm25s keeps them: columns of terms, passages in order, float32.

    The same to the bit as bm25s' own loop over passages, which takes four times as long and needs all passages at once; the formulas are
    bm25s'.
    """
    from bm25s.scoring import _select_tfc_scorer

    indptr = place.array("indptr", len(corpus.held_by) + 1, np.int64)
    indptr[0], indptr[1:] = 0, np.cumsum(corpus.held_by)
    data, indices = (place.array(name, int(indptr[-1]), dtype) for name, dtype in (("data", np.float32), ("indices", np.int32)))
    idf = _idf(corpus, parameters)
    weights = partial(_select_tfc_scorer(parameters.method), l_avg=corpus.average_length, k1=parameters.k1, b=parameters.b, delta=DELTA)
    for first, last in _stretches(indptr, place.at_once):
        filled, passage = indptr[:-1].copy(), 0
        for counts in place.take():
            order, target = _in_columns(counts.terms, first, last, filled)
            row = np.repeat(np.arange(len(counts.held)), counts.held)[order]
            frequencies = counts.frequencies[order].astype(np.float32)
            data[target] = idf[counts.terms[order]] * weights(tf_array=frequencies, l_d=counts.lengths[row])
            indices[target] = row + passage
            passage += len(counts.held)
    return {"data": data, "indices": indices, "indptr": indptr, "num_docs": corpus.passages}


def _idf(corpus: CorpusTerms, parameters: Bm25Parameters) -> npt.NDArray[np.float32]:
    """Return the idf of each term, computed once for each number of passages that hold one."""
    from bm25s.scoring import _select_idf_scorer

    scorer = _select_idf_scorer(parameters.method)
    values, place = np.unique(corpus.held_by, return_inverse=True)
    return np.array([scorer(int(value), N=corpus.passages) for value in values], np.float32)[place]


def _stretches(indptr: npt.NDArray[np.int64], at_once: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of consecutive terms, last not in it, that have at most `at_once` scores together, or are one term."""
    first, terms = 0, len(indptr) - 1
    while first < terms:
        last = max(first + 1, int(np.searchsorted(indptr, indptr[first] + at_once, side="right")) - 1)
        yield first, last
        first = last


def _in_columns(
    terms: npt.NDArray[np.int32], first: int, last: int, filled: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return which of `terms` are from `first` up to `last`, column by column, stably, and where in the columns they go.

    `filled` says how far each column is filled.
    """
    chosen = np.flatnonzero((terms >= first) & (terms < last))
    keys = (terms[chosen].astype(np.int64) << 32) | chosen
    keys.sort()
    columns, order = keys >> 32, keys & 0xFFFFFFFF
    begins = np.flatnonzero(np.diff(columns, prepend=-1))
    counts = np.diff(np.append(begins, len(columns)))
    target = filled[columns] + np.arange(len(columns)) - np.repeat(begins, counts)
    filled[columns[begins]] += counts
    return order, target
