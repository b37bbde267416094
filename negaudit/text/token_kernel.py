"""Compiled loops over UTF-8 bytes: find the tokens of each text and give each distinct token a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_LONG = np.uint64(1 << 63)
_ONE = np.uint64(1)  # indices are unsigned: a signed one is asked at each use whether it counts from the end
_EXACT = np.uint64(7)  # bytes of a token that fit into its key, beside its length; most words are no longer


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


@njit(cache=True, nogil=True, inline="always")
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(32))) * _PRIME
    return value ^ (value >> np.uint64(29))


@njit(cache=True, nogil=True, inline="always")
def _in_token(buffer: Any, at: Any, in_token: Any) -> tuple[bool, Any]:
    """Return whether the code point that starts at `at` is part of a token, and its number of bytes."""
    lead = np.uint64(buffer[at])
    if lead < np.uint64(0x80):
        return in_token[lead], _ONE
    code, size = _code_point(buffer, at)
    return in_token[np.uint64(code)], np.uint64(size)


@njit(cache=True, nogil=True, inline="always")
def _scan(buffer: Any, at: Any, end: Any, in_token: Any) -> tuple[Any, Any, int]:
    """Return where the token that starts at `at` ends, its key, and how many characters it has.

    The key is the token's bytes and length where they fit (_EXACT bytes), else a hash with the top bit set.
    """
    first, characters = at, 0
    word, shift, hash_ = np.uint64(0), np.uint64(0), np.uint64(0)
    inside, size = _in_token(buffer, at, in_token)
    while inside:
        for _ in range(size):
            word |= np.uint64(buffer[at]) << shift
            shift += np.uint64(8)
            at += _ONE
            if shift == np.uint64(64):
                hash_ = _mixed(hash_ ^ word)
                word, shift = np.uint64(0), np.uint64(0)
        characters += 1
        if at >= end:
            break
        inside, size = _in_token(buffer, at, in_token)
    length = at - first
    if length <= _EXACT:
        return at, word | (length << np.uint64(56)), characters
    return at, _mixed(hash_ ^ word ^ length) | _LONG, characters


@njit(cache=True, nogil=True, inline="always")
def _same(buffer: Any, start: Any, end: Any, pool: Any, pool_ends: Any, token: int) -> bool:
    """Return whether `token` is spelt like `buffer[start:end]`."""
    first = pool_ends[token - 1] if token else 0
    length = np.int64(end - start)
    if pool_ends[token] - first != length:
        return False
    for i in range(length):  # noqa: SIM110 - a compiled loop, which has no generators
        if pool[first + i] != buffer[np.int64(start) + i]:
            return False
    return True


@njit(cache=True, nogil=True)
def _find(buffer: Any, start: Any, end: Any, key: Any, slots: Any, keys: Any, pool: Any, pool_ends: Any) -> Any:
    """Return the slot that holds the token `buffer[start:end]`, or the free slot where it belongs."""
    mask = np.uint64(len(slots) - 1)
    slot = _mixed(key) & mask
    while slots[slot] >= 0:
        token = slots[slot]
        if keys[token] == key and (key < _LONG or _same(buffer, start, end, pool, pool_ends, token)):
            return slot
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True, nogil=True)
def number_tokens(
    buffer: Any,
    starts: Any,
    ends: Any,
    in_token: Any,
    least: int,
    slots: Any,
    keys: Any,
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
    `counts` how many each text has; `slots`, `keys`, `pool` and `pool_ends` are the vocabulary. It stops before a text for which they
    might have no room: a table with room for the worst case would miss the processor's caches at every token.
    """
    for i in range(first_text, len(starts)):
        size_left = len(pool) - (pool_ends[known - 1] if known else 0)
        if known + (ends[i] - starts[i] + 1) // 2 > len(keys) or ends[i] - starts[i] > size_left:
            return known, written, i
        at, end, before = np.uint64(starts[i]), np.uint64(ends[i]), written
        while at < end:
            inside, size = _in_token(buffer, at, in_token)
            if not inside:
                at += size
                continue
            first = at
            at, key, characters = _scan(buffer, at, end, in_token)
            if characters < least:
                continue
            slot = _find(buffer, first, at, key, slots, keys, pool, pool_ends)
            if slots[slot] < 0:
                begin = pool_ends[known - 1] if known else 0
                length = np.int64(at - first)
                for j in range(length):
                    pool[begin + j] = buffer[np.int64(first) + j]
                pool_ends[known] = begin + length
                keys[known] = key
                slots[slot] = known
                known += 1
            ids[written] = slots[slot]
            written += 1
        counts[i] = written - before
    return known, written, len(starts)


@njit(cache=True, nogil=True)
def fill_slots(slots: Any, keys: Any, known: int) -> None:
    """Put the `known` tokens into the empty table `slots` (a power of two long, -1 where free)."""
    mask = np.uint64(len(slots) - 1)
    for token in range(known):
        slot = _mixed(keys[token]) & mask
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
