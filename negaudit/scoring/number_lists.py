"""Arrays of text numbers: lists of them, flat with offsets, and which numbers occur."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

INT32 = npt.NDArray[np.int32]
INT64 = npt.NDArray[np.int64]
NO_TEXT = -1


def first_present(numbers: INT32, offsets: INT64) -> INT32:
    """Return for each list the first number that is not NO_TEXT, or NO_TEXT."""
    present = np.flatnonzero(numbers != NO_TEXT)
    at = np.searchsorted(present, offsets[:-1])
    padded = np.append(present, len(numbers))[at]
    found = padded < offsets[1:]
    return np.where(found, np.append(numbers, NO_TEXT)[padded], NO_TEXT).astype(np.int32)


def list_counts(lists: pa.Array) -> INT64:
    """Return the length of each list, 0 for a null."""
    return np.asarray(pc.fill_null(pc.list_value_length(lists), 0), np.int64)


def list_offsets(counts: Sequence[INT64]) -> INT64:
    """Return where each list starts, and the end, from the lists' lengths in parts."""
    return np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64) if counts else np.zeros(1, np.int64)


def distinct_numbers(parts: Sequence[INT32], texts: int) -> INT32:
    """Return the numbers of texts in `parts` without NO_TEXT, sorted, each once; there are `texts` texts."""
    there = np.zeros(texts + 1, np.bool_)
    for numbers in parts:
        there[numbers] = True  # NO_TEXT marks the last, which is no text's
    return np.flatnonzero(there[:texts]).astype(np.int32)


def joined(parts: Sequence[INT32]) -> INT32:
    """Return the parts one after the other."""
    return np.concatenate(parts) if parts else np.empty(0, np.int32)
