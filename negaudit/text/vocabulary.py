"""The distinct tokens of a run, numbered as they come, and the token lists of texts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.text.byte_texts import ByteTexts
from negaudit.text.normal_bytes import normal_bytes
from negaudit.text.tokenizers import WORD, Tokenizer

_SEPARATOR = "\x1f"  # no tokenizer lets it into a token, so split tokens can be joined and found again
_CODE_POINTS = 0x110000
_ROOM = 1 << 14  # tokens that a vocabulary has room for at first
_Item = TypeVar("_Item", bound=np.generic)


@dataclass(frozen=True)
class TokenLists:
    """The tokens of n texts: those of text i are `ids[offsets[i]:offsets[i + 1]]` (int32), offsets int64 of length n + 1."""

    ids: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def counts(self) -> npt.NDArray[np.int64]:
        """Return how many tokens each text has."""
        return np.diff(self.offsets)

    def of(self, texts: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Return the tokens of `texts` one after the other, and for each of them the text's number."""
        counts = self.counts()[texts]
        begins = np.cumsum(counts) - counts
        within = np.arange(int(counts.sum())) - np.repeat(begins, counts)
        return self.ids[np.repeat(self.offsets[texts], counts) + within], np.repeat(texts.astype(np.int64), counts)

    @classmethod
    def concatenated(cls, parts: Sequence[TokenLists]) -> TokenLists:
        """Return the lists of all parts, one part after the other."""
        ids = np.concatenate([part.ids for part in parts]) if parts else np.empty(0, np.int32)
        counts = np.concatenate([part.counts() for part in parts]) if parts else np.empty(0, np.int64)
        return cls(ids, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


class Vocabulary:
    """Distinct tokens by number. Exact: two tokens share a number only where their bytes are equal."""

    def __init__(self) -> None:
        self._known = 0
        self._slots = np.full(1 << 10, -1, np.int32)
        self._hashes = np.empty(0, np.uint64)
        self._pool_ends = np.empty(0, np.int64)
        self._pool = np.empty(0, np.uint8)

    def __len__(self) -> int:
        return self._known

    def tokens(self) -> list[str]:
        """Return all tokens, by number."""
        return list(self.select(np.arange(self._known)).to_pylist())

    def select(self, ids: npt.NDArray[np.integer]) -> pa.LargeStringArray:
        """Return the tokens with these numbers, in this order."""
        ends = self._pool_ends[: self._known]
        offsets = np.concatenate([[0], ends]).astype(np.int64)
        pool = pa.py_buffer(self._pool[: offsets[-1]].tobytes())
        everything = pa.LargeStringArray.from_buffers(self._known, pa.py_buffer(offsets.tobytes()), pool)
        return everything.take(pa.array(ids))

    def number(self, texts: ByteTexts, in_token: npt.NDArray[np.bool_], least: int) -> TokenLists:
        """Number the tokens of `texts`, whose bytes must be in normal form already, and return their lists."""
        from negaudit.text.token_kernel import number_tokens

        sizes = texts.ends - texts.starts
        # Tokens are at least one byte and one separator (or the text's end) apart.
        ids, counts = np.empty(int((sizes + 1).sum()) // 2 + 1, np.int32), np.empty(len(texts), np.int64)
        done = written = 0
        while done < len(texts):
            self._make_room(int(sizes[done]))
            vocabulary = (self._slots, self._hashes, self._pool, self._pool_ends, self._known)
            self._known, written, done = number_tokens(
                texts.buffer, texts.starts, texts.ends, in_token, least, *vocabulary, done, ids, written, counts
            )
        return TokenLists(ids[:written].copy(), np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    def _make_room(self, size: int) -> None:
        """Make room for the tokens of a text of `size` bytes, and for as many tokens again as are known."""
        from negaudit.text.token_kernel import fill_slots

        room = max(_ROOM, 2 * self._known) + size
        self._hashes = _grown(self._hashes, self._known + size, room)
        self._pool_ends = _grown(self._pool_ends, self._known + size, room)
        used = int(self._pool_ends[self._known - 1]) if self._known else 0
        self._pool = _grown(self._pool, used + size, max(16 * _ROOM, 2 * used) + size)
        if len(self._slots) < 2 * len(self._hashes):
            self._slots = np.full(1 << (2 * len(self._hashes) - 1).bit_length(), -1, np.int32)
            fill_slots(self._slots, self._hashes, self._known)


def tokenize(texts: Sequence[str] | pa.Array | pa.ChunkedArray, tokenizer: Tokenizer, vocabulary: Vocabulary) -> TokenLists:
    """Return the tokens of each text, in order and with repeats, as numbers of `vocabulary`, which takes in what is new."""
    parts = [_tokenized(batch, tokenizer, vocabulary) for batch in ByteTexts.of(texts).batches()]
    return TokenLists.concatenated(parts)


def distinct(lists: TokenLists, vocabulary: Vocabulary) -> TokenLists:
    """Return each text's set of tokens, T(x) of the paper's section 4.1, in the order of first occurrence."""
    from negaudit.text.token_kernel import distinct_tokens

    return TokenLists(*distinct_tokens(lists.ids, lists.offsets, np.full(len(vocabulary), -1, np.int64)))


def _tokenized(texts: ByteTexts, tokenizer: Tokenizer, vocabulary: Vocabulary) -> TokenLists:
    if tokenizer.word_characters is None:
        joined = [_SEPARATOR.join(tokenizer.tokens(texts.text(i))) for i in range(len(texts))]
        return vocabulary.number(ByteTexts.of(joined), _all_but_separator(), 1)
    return vocabulary.number(normal_bytes(texts), _word_characters(), tokenizer.word_characters)


@functools.cache
def _word_characters() -> npt.NDArray[np.bool_]:
    """Return for each code point whether it is a letter, mark or number, read off the tokenizers' own pattern."""
    marks = np.zeros(_CODE_POINTS, np.bool_)
    codes = np.arange(_CODE_POINTS, dtype="<u4")
    codes[0xD800:0xE000] = ord(" ")  # surrogates are no characters
    everything = codes.tobytes().decode("utf-32-le")
    for match in WORD.finditer(everything):
        marks[match.start() : match.end()] = True
    return marks


@functools.cache
def _all_but_separator() -> npt.NDArray[np.bool_]:
    marks = np.ones(_CODE_POINTS, np.bool_)
    marks[ord(_SEPARATOR)] = False
    return marks


def _grown(array: npt.NDArray[_Item], least: int, size: int) -> npt.NDArray[_Item]:
    """Return `array` where it holds `least` items already, else a copy with room for `size`."""
    if len(array) >= least:
        return array
    larger = np.empty(size, array.dtype)
    larger[: len(array)] = array
    return larger
