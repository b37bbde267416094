"""The first pass over the sources: every distinct text tokenized once, every record judged valid or not, no text kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.source import NegativeSource
from negaudit.scoring.number_lists import INT32, INT64, NO_TEXT, distinct_numbers, first_present, joined, list_counts, list_offsets
from negaudit.scoring.pipeline import InOrder, read_ahead
from negaudit.text.distinct_texts import DistinctTexts
from negaudit.text.scripts import ScriptShare
from negaudit.text.token_store import TokenStore
from negaudit.text.tokenizers import Tokenizer, get_tokenizer
from negaudit.text.vocabulary import TokenLists, Vocabulary, distinct, tokenize

VALID, NO_QUERY_TOKEN, NO_POSITIVE, NO_NEGATIVE = range(4)
REASONS = {NO_QUERY_TOKEN: "query_without_tokens", NO_POSITIVE: "no_positive", NO_NEGATIVE: "no_negative"}


@dataclass(frozen=True)
class SourceIndex:
    """One source as numbers of texts. n records: `query`, `positive` (the first that is not empty, NO_TEXT if none), `state`
    (VALID or a reason), `key` (hash of the query id), `offsets` (n + 1) into the m negatives' `negative` (NO_TEXT if empty).
    `documents` are the numbers of all non-empty positives and negatives, `queries` those of all queries; both sorted.
    """

    name: str
    query: INT32
    positive: INT32
    state: npt.NDArray[np.int8]
    key: npt.NDArray[np.uint64]
    offsets: INT64
    negative: INT32
    documents: INT32
    queries: INT32


@dataclass(frozen=True)
class RunIndex:
    """All sources of a run, the vocabulary, T(x) and fingerprint (two uint64) of each distinct text by its number, and the share of the
    queries' letters in unsegmented scripts.
    """

    sources: dict[str, SourceIndex]
    vocabulary: Vocabulary
    tokens: TokenLists
    text_keys: npt.NDArray[np.uint64]
    unsegmented_share: float


class Indexer:
    """Takes sources in one after the other; texts shared by several are tokenized once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._vocabulary = Vocabulary()
        self._texts = DistinctTexts()
        self._present = np.empty(0, np.bool_)
        self._tokens = TokenStore()
        self._scripts = ScriptShare()
        self._sources: dict[str, SourceIndex] = {}

    def add(self, source: NegativeSource, progress: Callable[[int, int], None]) -> None:
        """Read `source` through once; `progress` gets the number of records read so far, and of all."""
        batches, done = [], 0
        with InOrder(self._tokenize) as tokenizing:
            for batch in read_ahead(source.batches()):
                batches.append(self._numbered(batch, tokenizing))
                done += batch.num_rows
                progress(done, source.num_records)
        self._sources[source.name] = self._assembled(source.name, batches)

    def result(self) -> RunIndex:
        """Return what was taken in."""
        return RunIndex(self._sources, self._vocabulary, self._tokens.lists(), self._texts.keys(), self._scripts.result())

    def _tokenize(self, texts: pa.Array) -> None:
        self._tokens.append(distinct(tokenize(texts, self._tokenizer, self._vocabulary), self._vocabulary))

    def _numbers(self, texts: pa.Array, tokenizing: InOrder[[pa.Array]]) -> INT32:
        """Return the texts' numbers, NO_TEXT for null, empty and white-space ones; new ones are handed on to be tokenized."""
        numbers, first = self._texts.number(texts)
        if len(first):
            new = texts.take(pa.array(first))
            present = pc.fill_null(pc.not_equal(pc.utf8_trim_whitespace(new), ""), False).to_numpy(zero_copy_only=False)
            self._present = _extended(self._present, present, len(self._texts))
            tokenizing.submit(new)
        return np.where(self._present[numbers], numbers, np.int32(NO_TEXT)).astype(np.int32)

    def _numbered(self, batch: pa.RecordBatch, tokenizing: InOrder[[pa.Array]]) -> _Numbered:
        positives, negatives = batch["positives"], batch["negatives"]
        self._scripts.update(batch["query"].to_pylist())
        return _Numbered(
            query=self._numbers(batch["query"], tokenizing),
            positive=self._numbers(positives.flatten(), tokenizing),
            positive_counts=list_counts(positives),
            negative=self._numbers(negatives.flatten().field("text"), tokenizing),
            negative_counts=list_counts(negatives),
            key=query_keys(batch["query_id"].to_pylist()),
        )

    def _assembled(self, name: str, batches: Sequence[_Numbered]) -> SourceIndex:
        query, negative = joined([b.query for b in batches]), joined([b.negative for b in batches])
        positives = joined([b.positive for b in batches])
        positive = first_present(positives, list_offsets([b.positive_counts for b in batches]))
        offsets = list_offsets([b.negative_counts for b in batches])
        return SourceIndex(
            name=name,
            query=query,
            positive=positive,
            state=_states(query, positive, negative, offsets, self._tokens.lists().counts()),
            key=np.concatenate([b.key for b in batches]) if batches else np.empty(0, np.uint64),
            offsets=offsets,
            negative=negative,
            documents=distinct_numbers([positives, negative], len(self._texts)),
            queries=distinct_numbers([query], len(self._texts)),
        )


def indexed(sources: Mapping[str, NegativeSource], tokenizer: str, report: Callable[[str, int, int], None]) -> RunIndex:
    """Read every source through once, with the tokenizer of this name; `report` gets (what, records read, of all)."""
    indexer = Indexer(get_tokenizer(tokenizer))
    for name, source in sources.items():
        indexer.add(source, partial(report, f"reading {name}"))
    return indexer.result()


def _extended(flags: npt.NDArray[np.bool_], new: npt.NDArray[np.bool_], known: int) -> npt.NDArray[np.bool_]:
    """Return `flags` with those of the last of `known` texts filled in, with room to spare."""
    if len(flags) < known:
        flags = np.concatenate([flags, np.zeros(max(known, 2 * len(flags)) - len(flags), np.bool_)])
    flags[known - len(new) : known] = new
    return flags


@dataclass(frozen=True)
class _Numbered:
    query: INT32
    positive: INT32
    positive_counts: INT64
    negative: INT32
    negative_counts: INT64
    key: npt.NDArray[np.uint64]


def query_keys(query_ids: Sequence[str | None], seed: int | None = None) -> npt.NDArray[np.uint64]:
    """Return blake2b-64 of each query id, or of (seed, query id): equal wherever the same query turns up."""
    prefix = b"" if seed is None else f"{seed}\x00".encode()
    digests = b"".join(hashlib.blake2b(prefix + (query_id or "").encode(), digest_size=8).digest() for query_id in query_ids)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def _states(query: INT32, positive: INT32, negative: INT32, offsets: INT64, lengths: INT64) -> npt.NDArray[np.int8]:
    """Judge each record: a query with a token, a non-empty first positive and a non-empty negative make it valid."""
    present = np.concatenate([[0], np.cumsum(negative != NO_TEXT)])
    has_negative = present[offsets[1:]] > present[offsets[:-1]]
    has_token = (query != NO_TEXT) & (lengths[query] > 0) if len(lengths) else np.zeros(len(query), np.bool_)
    conditions = [~has_token, positive == NO_TEXT, ~has_negative]
    return np.select(conditions, [NO_QUERY_TOKEN, NO_POSITIVE, NO_NEGATIVE], VALID).astype(np.int8)


def record_counts(state: npt.NDArray[np.int8]) -> dict[str, int]:
    """Return how many records were rejected, by reason."""
    counts = {reason: int((state == code).sum()) for code, reason in REASONS.items()}
    return {reason: count for reason, count in counts.items() if count}
