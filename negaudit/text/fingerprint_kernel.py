"""Compiled 128-bit fingerprints of texts (MurmurHash3 x64) and a table that numbers distinct ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

_C1 = np.uint64(0x87C37B91114253D5)
_C2 = np.uint64(0x4CF5AD432745937F)


@njit(cache=True, nogil=True, inline="always")
def _rotate(value: Any, bits: int) -> Any:
    return (value << np.uint64(bits)) | (value >> np.uint64(64 - bits))


@njit(cache=True, nogil=True, inline="always")
def _mixed(value: Any) -> Any:
    value ^= value >> np.uint64(33)
    value *= np.uint64(0xFF51AFD7ED558CCD)
    value ^= value >> np.uint64(33)
    value *= np.uint64(0xC4CEB9FE1A85EC53)
    return value ^ (value >> np.uint64(33))


@njit(cache=True, nogil=True, inline="always")
def _word(buffer: Any, at: Any) -> Any:
    """Return the 8 bytes from `at` (unsigned) as a little-endian number; spelt out so that it compiles to a single load."""
    one = (np.uint64(buffer[at]) | (np.uint64(buffer[at + np.uint64(1)]) << np.uint64(8))) | (
        (np.uint64(buffer[at + np.uint64(2)]) << np.uint64(16)) | (np.uint64(buffer[at + np.uint64(3)]) << np.uint64(24))
    )
    other = (np.uint64(buffer[at + np.uint64(4)]) << np.uint64(32)) | (np.uint64(buffer[at + np.uint64(5)]) << np.uint64(40))
    last = (np.uint64(buffer[at + np.uint64(6)]) << np.uint64(48)) | (np.uint64(buffer[at + np.uint64(7)]) << np.uint64(56))
    return one | other | last


@njit(cache=True, nogil=True, inline="always")
def _tail(buffer: Any, at: int, count: int) -> Any:
    """Return `count` bytes (up to 8, none where negative) from `at` as a little-endian number."""
    word = np.uint64(0)
    for i in range(count):
        word |= np.uint64(buffer[at + i]) << np.uint64(8 * i)
    return word


@njit(cache=True, nogil=True)
def fingerprints(buffer: Any, starts: Any, ends: Any) -> Any:
    """Return MurmurHash3 x64 128 (seed 0) of each text as an (n, 2) array of uint64."""
    out = np.empty((len(starts), 2), np.uint64)
    for i in range(len(starts)):
        at, size = starts[i], ends[i] - starts[i]
        h1, h2 = np.uint64(0), np.uint64(0)
        for _ in range(size // 16):
            h1 ^= _rotate(_word(buffer, np.uint64(at)) * _C1, 31) * _C2
            h1 = (_rotate(h1, 27) + h2) * np.uint64(5) + np.uint64(0x52DCE729)
            h2 ^= _rotate(_word(buffer, np.uint64(at + 8)) * _C2, 33) * _C1
            h2 = (_rotate(h2, 31) + h1) * np.uint64(5) + np.uint64(0x38495AB5)
            at += 16
        tail = size % 16
        h2 ^= _rotate(_tail(buffer, at + 8, tail - 8) * _C2, 33) * _C1
        h1 ^= _rotate(_tail(buffer, at, min(8, tail)) * _C1, 31) * _C2
        h1, h2 = h1 ^ np.uint64(size), h2 ^ np.uint64(size)
        h1 += h2
        h2 += h1
        h1, h2 = _mixed(h1), _mixed(h2)
        h1 += h2
        h2 += h1
        out[i, 0], out[i, 1] = h1, h2
    return out


@njit(cache=True, nogil=True)
def number_keys(new: Any, slots: Any, keys: Any, known: int, numbers: Any, first: Any) -> int:
    """Number the keys `new` (n, 2), taking unknown ones in, and return how many are known; `slots` and `keys` have room.

    `first` gets the positions of the unknown ones, in the order of their numbers.
    """
    before = known
    mask = np.uint64(len(slots) - 1)
    for i in range(len(new)):
        slot = new[i, 0] & mask
        while slots[slot] >= 0 and (keys[slots[slot], 0] != new[i, 0] or keys[slots[slot], 1] != new[i, 1]):
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            keys[known, 0], keys[known, 1] = new[i, 0], new[i, 1]
            slots[slot] = known
            first[known - before] = i
            known += 1
        numbers[i] = slots[slot]
    return known


@njit(cache=True, nogil=True)
def fill_key_slots(slots: Any, keys: Any, known: int) -> None:
    """Put the `known` keys into the empty table `slots` (a power of two long, -1 where free)."""
    mask = np.uint64(len(slots) - 1)
    for number in range(known):
        slot = keys[number, 0] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number
