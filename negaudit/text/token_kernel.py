"""Compiled loops over UTF-8 bytes: find the tokens of each text and give each distinct token a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

_FNV_OFFSET = np.uint64(14695981039346656037)
_FNV_PRIME = np.uint64(1099511628211)


@njit(cache=True, nogil=True, inline="always")
def _code_point(buffer: Any, at: Any) -> Any:
    """Return the code point that starts at `at` and its number of bytes."""
    lead = np.int64(buffer[at])
    if lead < 0x80:
        return lead, 1
    if lead < 0xE0:
        return ((lead & 0x1F) << 6) | (buffer[at + 1] & 0x3F), 2
    if lead < 0xF0:
        return ((lead & 0x0F) << 12) | ((buffer[at + 1] & 0x3F) << 6) | (buffer[at + 2] & 0x3F), 3
    tail = ((buffer[at + 1] & 0x3F) << 12) | ((buffer[at + 2] & 0x3F) << 6) | (buffer[at + 3] & 0x3F)
    return ((lead & 0x07) << 18) | tail, 4


@njit(cache=True, nogil=True)
def _find(buffer: Any, start: Any, end: Any, hash_: Any, slots: Any, hashes: Any, pool: Any, pool_ends: Any) -> Any:
    """Return the slot that holds the token `buffer[start:end]`, or the free slot where it belongs."""
    mask = np.int64(len(slots) - 1)
    slot = np.int64(hash_ & np.uint64(mask))
    while slots[slot] >= 0:
        token = slots[slot]
        if hashes[token] == hash_:
            first = pool_ends[token - 1] if token else 0
            if pool_ends[token] - first == end - start:
                same = True
                for i in range(end - start):
                    if pool[first + i] != buffer[start + i]:
                        same = False
                        break
                if same:
                    return slot
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def number_tokens(
    buffer: Any,
    starts: Any,
    ends: Any,
    in_token: Any,
    least: int,
    slots: Any,
    hashes: Any,
    pool: Any,
    pool_ends: Any,
    known: int,
    first_text: int,
    ids: Any,
    written: int,
    counts: Any,
) -> tuple[int, int, int]:
    """Number the tokens of texts from `first_text` on; return how many tokens are known, ids are written and texts are done.

    A token is a run of code points that `in_token` marks, of `least` code points or more. `ids` gets the numbers in text order,
    `counts` how many each text has; `slots`, `hashes`, `pool` and `pool_ends` are the vocabulary. It stops before a text for which they
    might have no room: a table with room for the worst case would miss the processor's caches at every token.
    """
    for i in range(first_text, len(starts)):
        size_left = len(pool) - (pool_ends[known - 1] if known else 0)
        if known + (ends[i] - starts[i] + 1) // 2 > len(hashes) or ends[i] - starts[i] > size_left:
            return known, written, i
        at, before = starts[i], written
        while at < ends[i]:
            code, size = _code_point(buffer, at)
            if not in_token[code]:
                at += size
                continue
            first, characters, hash_ = at, 0, _FNV_OFFSET
            while in_token[code]:
                for _ in range(size):
                    hash_ = (hash_ ^ np.uint64(buffer[at])) * _FNV_PRIME
                    at += 1
                characters += 1
                if at >= ends[i]:
                    break
                code, size = _code_point(buffer, at)
            if characters < least:
                continue
            hash_ ^= hash_ >> np.uint64(32)
            slot = _find(buffer, first, at, hash_, slots, hashes, pool, pool_ends)
            if slots[slot] < 0:
                begin = pool_ends[known - 1] if known else 0
                for j in range(at - first):
                    pool[begin + j] = buffer[first + j]
                pool_ends[known] = begin + at - first
                hashes[known] = hash_
                slots[slot] = known
                known += 1
            ids[written] = slots[slot]
            written += 1
        counts[i] = written - before
    return known, written, len(starts)


@njit(cache=True, nogil=True)
def fill_slots(slots: Any, hashes: Any, known: int) -> None:
    """Put the `known` tokens into the empty table `slots` (a power of two long, -1 where free)."""
    mask = np.uint64(len(slots) - 1)
    for token in range(known):
        slot = hashes[token] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = token


@njit(cache=True, nogil=True)
def distinct_tokens(ids: Any, offsets: Any, seen: Any) -> tuple[Any, Any]:
    """Return each text's distinct tokens, first occurrence first, as (ids, offsets). `seen` is scratch, -1 for each token."""
    kept = np.empty(len(ids), np.int32)
    kept_offsets = np.zeros(len(offsets), np.int64)
    written = 0
    for i in range(len(offsets) - 1):
        for j in range(offsets[i], offsets[i + 1]):
            if seen[ids[j]] != i:
                seen[ids[j]] = i
                kept[written] = ids[j]
                written += 1
        kept_offsets[i + 1] = written
    return kept[:written].copy(), kept_offsets


@njit(cache=True, nogil=True)
def document_frequencies(texts: Any, ids: Any, offsets: Any, tokens: int) -> Any:
    """Return for each of `tokens` tokens in how many of `texts` it occurs; the lists (ids, offsets) hold each text's distinct tokens."""
    df = np.zeros(tokens, np.int64)
    for i in range(len(texts)):
        for j in range(offsets[texts[i]], offsets[texts[i] + 1]):
            df[ids[j]] += 1
    return df
