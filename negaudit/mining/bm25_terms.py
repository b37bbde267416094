"""The terms of a corpus's passages, counted portion by portion, so that no more than one is worked on at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.data.text_column import TextColumn
from negaudit.mining.bm25_place import IndexPlace, TermCounts
from negaudit.text.tokenizers import Tokenizer
from negaudit.text.vocabulary import Vocabulary, tokenize

# Loading the compiled tokenizer takes longer than doing without it for so many bytes; the counts are the same.
WORTH_A_KERNEL = 20_000_000
# A portion's bytes; as Python strings its tokens take several times as many, so those portions are the smaller ones.
PLAIN_BYTES, KERNEL_BYTES = 1 << 17, 1 << 20


@dataclass(frozen=True)
class CorpusTerms:
    """What a corpus's terms come to: the number of each, in the order of first occurrence, how many passages hold each (int64, by number),
    how many passages there are, and how many tokens a passage has on average.
    """

    numbers: Mapping[str, int]
    held_by: npt.NDArray[np.int64]
    passages: int
    average_length: float


def count_terms(texts: TextColumn, tokenizer: Tokenizer, place: IndexPlace) -> CorpusTerms:
    """Put the counts of all passages' terms into `place`, portion by portion, and return what they come to."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # a new token gets the next number
    counted = _compiled if texts.column.nbytes >= WORTH_A_KERNEL else _plain
    held_by, tokens = np.zeros(1 << 16, np.int64), 0
    for counts in counted(texts, tokenizer, numbers):
        place.put(counts)
        tokens += int(counts.lengths.sum())
        most = int(counts.terms.max(initial=-1)) + 1
        if most > len(held_by):
            held_by = np.concatenate([held_by, np.zeros(max(most, 2 * len(held_by)) - len(held_by), np.int64)])
        np.add.at(held_by, counts.terms, 1)
    numbers.default_factory = None
    return CorpusTerms(numbers, held_by[: len(numbers)], len(texts), tokens / max(1, len(texts)))


def _plain(texts: TextColumn, tokenizer: Tokenizer, numbers: defaultdict[str, int]) -> Iterator[TermCounts]:
    for portion in texts.portions(PLAIN_BYTES):
        yield _plain_counts(portion, tokenizer, numbers)


def _plain_counts(portion: pa.Array, tokenizer: Tokenizer, numbers: defaultdict[str, int]) -> TermCounts:
    found = [Counter(tokenizer.tokens(text)) for text in portion.to_pylist()]
    held = np.array([len(counts) for counts in found], np.int64)
    size = int(held.sum())
    terms = np.fromiter(map(numbers.__getitem__, chain.from_iterable(found)), np.int32, size)
    frequencies = np.fromiter(chain.from_iterable(counts.values() for counts in found), np.int32, size)
    return TermCounts(terms, frequencies, held, np.array([counts.total() for counts in found], np.int64))


def _compiled(texts: TextColumn, tokenizer: Tokenizer, numbers: defaultdict[str, int]) -> Iterator[TermCounts]:
    vocabulary = Vocabulary()
    for portion in texts.portions(KERNEL_BYTES):
        lists = tokenize(portion, tokenizer, vocabulary)
        lengths = lists.counts()
        pairs = (np.repeat(np.arange(len(lists), dtype=np.int64), lengths) << 32) | lists.ids
        pairs.sort()
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        frequencies, pairs = np.diff(np.append(first, len(pairs))).astype(np.int32), pairs[first]
        held = np.bincount(pairs >> 32, minlength=len(lists)).astype(np.int64)
        yield TermCounts((pairs & 0xFFFFFFFF).astype(np.int32), frequencies, held, lengths)
    numbers.update(zip(vocabulary.tokens(), range(len(vocabulary)), strict=True))
