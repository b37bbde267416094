"""A BM25 index over a collection's passages: bm25s over negaudit's own tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.errors import NegauditError, unknown_name
from negaudit.text.tokenizers import Tokenizer, get_tokenizer
from negaudit.text.vocabulary import TokenLists, Vocabulary, tokenize

# With these a passage scores above zero only where it shares a term with the query, which is what makes it a candidate.
METHODS = ("atire", "lucene", "robertson")
# bm25s' numba back end takes five seconds to compile: below this many query-passage pairs its numpy back end is done sooner.
# Their scores are the same, bit for bit.
WORTH_COMPILING = 50_000_000
# Loading the compiled tokenizer takes longer than doing without it for so many characters; the tokens are the same.
WORTH_A_KERNEL = 20_000_000


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
    def built(cls, texts: Sequence[str], parameters: Bm25Parameters, queries: int) -> Bm25Index:
        """Return the index of `texts`, to be asked for `queries` queries; raises NegauditError where no text has a token."""
        import bm25s

        tokenizer = get_tokenizer(parameters.tokenizer)
        lists, terms = _tokenized(texts, tokenizer)
        if not terms:
            raise NegauditError(f"no passage has a token under tokenizer '{parameters.tokenizer}'; BM25 has nothing to match")
        backend = backend_for(queries * len(texts))
        index = bm25s.BM25(k1=parameters.k1, b=parameters.b, method=parameters.method, backend=backend)
        index.scores, index.nonoccurrence_array = scored_terms(lists, len(terms), parameters), None
        index.vocab_dict, index.unique_token_ids_set = terms, set(range(len(terms)))
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


def scored_terms(lists: TokenLists, terms: int, parameters: Bm25Parameters) -> dict[str, Any]:
    """Return the scores of each term in each passage as bm25s keeps them: columns of terms, passages in order, float32.

    The same to the bit as bm25s' own loop over passages, which takes four times as long and as much memory; the formulas are bm25s'.
    """
    from bm25s.scoring import _select_idf_scorer, _select_tfc_scorer

    lengths = lists.counts()
    pairs = lists.ids.astype(np.int64)
    pairs <<= 32
    pairs |= np.repeat(np.arange(len(lists), dtype=np.int32), lengths)
    pairs.sort()
    first = np.flatnonzero(np.concatenate([[True], pairs[1:] != pairs[:-1]]))
    frequencies, pairs = np.diff(np.append(first, len(pairs))), pairs[first]
    columns, rows = pairs >> 32, (pairs & 0xFFFFFFFF).astype(np.int32)
    held_by = np.bincount(columns, minlength=terms)
    numbers, place = np.unique(held_by, return_inverse=True)
    idf = np.array([_select_idf_scorer(parameters.method)(int(number), N=len(lists)) for number in numbers], np.float32)[place]
    options = {"l_avg": lengths.mean(), "k1": parameters.k1, "b": parameters.b, "delta": 0.5}
    weights = _select_tfc_scorer(parameters.method)(tf_array=frequencies.astype(np.float32), l_d=lengths[rows], **options)
    indptr = np.concatenate([[0], np.cumsum(held_by)]).astype(np.int64)
    return {"data": (idf[columns] * weights).astype(np.float32), "indices": rows, "indptr": indptr, "num_docs": len(lists)}


def _tokenized(texts: Sequence[str], tokenizer: Tokenizer) -> tuple[TokenLists, dict[str, int]]:
    """Return the tokens of each text and their numbers."""
    if sum(map(len, texts)) >= WORTH_A_KERNEL:
        vocabulary = Vocabulary()
        lists = tokenize(texts, tokenizer, vocabulary)
        return lists, dict(zip(vocabulary.tokens(), range(len(vocabulary)), strict=True))
    numbers: dict[str, int] = {}
    parts = [np.array([numbers.setdefault(token, len(numbers)) for token in tokenizer.tokens(text)], np.int32) for text in texts]
    offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    return TokenLists(np.concatenate(parts) if parts else np.empty(0, np.int32), offsets), numbers
