"""The lexical side of the checks: how much of a query's idf mass a passage holds, for any passage of the sample or the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negaudit.auditing.checks.contract import FLOATS
from negaudit.auditing.checks.sample import INT64
from negaudit.text.idf import idf_values
from negaudit.text.tokenizers import Tokenizer
from negaudit.text.vocabulary import TokenLists, Vocabulary, distinct, tokenize


@dataclass(frozen=True)
class Words:
    """T(x) of queries, sample texts and pool passages, and the idf of their tokens counted over the pool."""

    queries: TokenLists
    texts: TokenLists
    pool: TokenLists
    idf: FLOATS

    @classmethod
    def of(cls, queries: Sequence[str], texts: Sequence[str], pool: Sequence[str], tokenizer: Tokenizer) -> Words:
        """Tokenize all three and count in how many pool passages each token occurs."""
        vocabulary = Vocabulary()
        asked, own, others = (distinct(tokenize(some, tokenizer, vocabulary), vocabulary) for some in (queries, texts, pool))
        df = np.bincount(others.ids, minlength=len(vocabulary)).astype(np.int64)
        return cls(asked, own, others, idf_values(df, len(pool)))

    def coverage(self, queries: INT64, passages: INT64, of: TokenLists) -> FLOATS:
        """Return C(q, n) in [0, 1] for pairs of a query and a passage of the token lists `of`."""
        from negaudit.text.coverage_kernel import coverage

        place: npt.NDArray[np.int64] = np.full(max(1, len(self.idf)), -1, np.int64)
        asked, held = self.queries, of
        arguments = (queries.astype(np.int32), passages.astype(np.int32), self.idf)
        return np.asarray(coverage(*arguments, asked.ids, asked.offsets, held.ids, held.offsets, place))
