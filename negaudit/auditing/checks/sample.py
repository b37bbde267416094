"""The sampled records of one source as checks read them: texts numbered once, negatives flat, each with its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.scoring.indexing import query_keys
from negaudit.scoring.sampling import sampled
from negaudit.text.folding import folded
from negaudit.text.tokenizers import Tokenizer

INT64 = npt.NDArray[np.int64]
BOOLS = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Sample:
    """n records with their m negatives, empty ones included.

    `rows` are rows of the source, `keys` hashes of query ids, `queries` and `query_ids` by record; `record` (m) and `negative_index`
    (m) place each negative, `negative` (m) is its text's number in `texts` (distinct passages). The positives of record i, never empty,
    are `positive[positive_offsets[i]:positive_offsets[i + 1]]`; the first is the one every statistic speaks of.
    """

    name: str
    role: str
    rows: INT64
    keys: npt.NDArray[np.uint64]
    query_ids: Sequence[str]
    queries: Sequence[str]
    positive: INT64
    positive_ids: Sequence[str | None]
    positive_offsets: INT64
    record: INT64
    negative_index: npt.NDArray[np.int32]
    negative: INT64
    negatives: Sequence[Negative]
    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.record)

    @cached_property
    def present(self) -> BOOLS:
        """Whether each negative has a text."""
        filled = np.array([bool(text.strip()) for text in self.texts], np.bool_)
        return filled[self.negative] if len(filled) else np.zeros(0, np.bool_)

    @cached_property
    def first_positive(self) -> INT64:
        """The number of each record's first positive."""
        return self.positive[self.positive_offsets[:-1]]

    @cached_property
    def folded(self) -> INT64:
        """The number of each text's folded form: two texts share it where they are the same after folding."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(folded(text), len(numbers)) for text in self.texts], np.int64)

    def positives_of(self, record: int) -> INT64:
        """Return the numbers of a record's positives."""
        return self.positive[self.positive_offsets[record] : self.positive_offsets[record + 1]]


def take_sample(source: NegativeSource, tokenizer: Tokenizer, size: int | None, seed: int) -> Sample:
    """Return the records of `source` that scoring samples: valid ones, the `size` of lowest rank (None: all)."""
    valid = np.array([_valid(record, tokenizer) for record in source.records()], np.bool_)
    if size is None or int(valid.sum()) <= size:
        rows = np.flatnonzero(valid)
    else:
        ids = [query_id for batch in source.batches() for query_id in batch["query_id"].to_pylist()]
        rows = sampled(query_keys(ids, seed), valid, size)
    return _sample(source, rows)


def _valid(record: Record, tokenizer: Tokenizer) -> bool:
    has_texts = any(p.strip() for p in record.positives) and any(n.text.strip() for n in record.negatives)
    return has_texts and bool(tokenizer.tokens(record.query))


def _chosen(source: NegativeSource, rows: INT64) -> Iterator[Record]:
    wanted = np.zeros(source.num_records, np.bool_)
    wanted[rows] = True
    return (record for record, take in zip(source.records(), wanted, strict=True) if take)


def _sample(source: NegativeSource, rows: INT64) -> Sample:
    records = list(_chosen(source, rows))
    positives = [_filled(record) for record in records]
    negatives = [negative for record in records for negative in record.negatives]
    numbers: dict[str, int] = {}
    positive = [numbers.setdefault(text, len(numbers)) for some in positives for _, text in some]
    negative = [numbers.setdefault(each.text, len(numbers)) for each in negatives]
    lengths = [len(record.negatives) for record in records]
    query_ids = [record.query_id for record in records]
    return Sample(
        name=source.name,
        role=source.role,
        rows=rows,
        keys=query_keys(query_ids),
        query_ids=query_ids,
        queries=[record.query for record in records],
        positive=np.array(positive, np.int64),
        positive_ids=[passage_id for some in positives for passage_id, _ in some],
        positive_offsets=np.concatenate([[0], np.cumsum([len(some) for some in positives])]).astype(np.int64),
        record=np.repeat(np.arange(len(records)), lengths).astype(np.int64),
        negative_index=np.concatenate([np.empty(0, np.int32), *(np.arange(n, dtype=np.int32) for n in lengths)]),
        negative=np.array(negative, np.int64),
        negatives=negatives,
        texts=list(numbers),
    )


def _filled(record: Record) -> list[tuple[str | None, str]]:
    """Return the positives that have a text, with their ids."""
    return [(i, text) for i, text in zip(record.positive_ids, record.positives, strict=True) if text.strip()]
