"""The compiled loop of coverage: how much of a query's idf mass each negative's tokens hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def coverage(
    queries: Any, negatives: Any, idf: Any, query_ids: Any, query_offsets: Any, text_ids: Any, text_offsets: Any, place: Any
) -> Any:
    """Return C(q, n) for pairs (queries[i], negatives[i]), which are numbers of texts.

    Query tokens come in code-point order and idf is added in that order, so that C is the same bit for bit whatever came before;
    `idf` is by token number; `place` is scratch, one int64 per token, all -1, and is -1 again afterwards.
    """
    result = np.empty(len(queries))
    shared = np.zeros(1, np.bool_)
    whole, current = 0.0, -1
    first, last = 0, 0
    for pair in range(len(queries)):
        if queries[pair] != current:
            for j in range(first, last):
                place[query_ids[j]] = -1
            current = queries[pair]
            first, last = query_offsets[current], query_offsets[current + 1]
            whole = 0.0
            for j in range(first, last):
                place[query_ids[j]] = j - first
                whole += idf[query_ids[j]]
            if last - first > len(shared):
                shared = np.zeros(last - first, np.bool_)
        shared[: last - first] = False
        text = negatives[pair]
        for j in range(text_offsets[text], text_offsets[text + 1]):
            at = place[text_ids[j]]
            if at >= 0:
                shared[at] = True
        covered = 0.0
        for j in range(last - first):
            if shared[j]:
                covered += idf[query_ids[first + j]]
        result[pair] = covered / whole
    for j in range(first, last):
        place[query_ids[j]] = -1
    return result
