"""A BM25 index over a collection's passages: bm25s over negaudit's own tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.errors import NegauditError, unknown_name
from negaudit.text.tokenizers import Tokenizer, get_tokenizer
from negaudit.text.vocabulary import TokenLists, Vocabulary, tokenize

# With these a passage scores above zero only where it shares a term with the query, which is what makes it a candidate.
METHODS = ("atire", "lucene", "robertson")
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

    `index` is bm25s' own, `terms` numbers the tokens that some passage has.
    """

    def __init__(self, index: Any, terms: Mapping[str, int], tokenizer: Tokenizer) -> None:
        self.index = index
        self._terms = terms
        self._tokenizer = tokenizer

    @classmethod
    def built(cls, texts: Sequence[str] | pa.ChunkedArray, parameters: Bm25Parameters, queries: int) -> Bm25Index:
        """Return the index of `texts`, to be asked for `queries` queries; raises NegauditError where no text has a token."""
        import bm25s

        tokenizer, vocabulary = get_tokenizer(parameters.tokenizer), Vocabulary()
        lists = tokenize(texts, tokenizer, vocabulary)
        if not len(vocabulary):
            raise NegauditError(f"no passage has a token under tokenizer '{parameters.tokenizer}'; BM25 has nothing to match")
        backend = backend_for(queries * len(texts))
        index = bm25s.BM25(k1=parameters.k1, b=parameters.b, method=parameters.method, backend=backend)
        terms = dict(zip(vocabulary.tokens(), range(len(vocabulary)), strict=True))
        index.index((_as_lists(lists), terms), create_empty_token=False, show_progress=False)
        return cls(index, terms, tokenizer)

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


def _as_lists(tokens: TokenLists) -> list[list[int]]:
    ids, offsets = tokens.ids.tolist(), tokens.offsets.tolist()
    return [ids[start:end] for start, end in pairwise(offsets)]
