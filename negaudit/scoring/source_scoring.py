"""The second pass over one source: its pairs scored chunk by chunk, written and accumulated as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.data.atomic import atomic_path
from negaudit.data.names import name_batches
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.description import Description
from negaudit.scoring.encoded import RunVectors
from negaudit.scoring.gates import FLOATS, residuals, similarities
from negaudit.scoring.indexing import VALID, SourceIndex, record_counts
from negaudit.scoring.lexical import PairCoverage
from negaudit.scoring.number_lists import NO_TEXT
from negaudit.scoring.pair_file import PairFile
from negaudit.scoring.pairs import PairChunk, pair_table
from negaudit.scoring.pipeline import InOrder, read_ahead
from negaudit.scoring.weightings import WEIGHTINGS, Weighting

INT64 = npt.NDArray[np.int64]


@dataclass
class Counts:
    """What became of a source's records and negatives: read = valid + rejected; scored is what was sampled of the valid ones."""

    read: int
    valid: int
    scored: int
    rejected: dict[str, int] = field(default_factory=dict)

    def reject(self, reason: str, count: int) -> None:
        """Move `count` of the valid and scored ones to the rejected."""
        if count:
            self.rejected[reason] = self.rejected.get(reason, 0) + count
            self.valid -= count
            self.scored -= count

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as JSON-ready data."""
        return {"read": self.read, "valid": self.valid, "scored": self.scored, "rejected": dict(sorted(self.rejected.items()))}


@dataclass(frozen=True)
class Scoring:
    """What one pass needs besides the source: coverage by text numbers, vectors where there is an encoder, and how to read them."""

    coverage: PairCoverage
    tau: float
    vectors: RunVectors | None = None
    zero_residual: float = 1e-4
    weightings: Mapping[str, Weighting] = field(default_factory=lambda: WEIGHTINGS)


class SourceScorer:
    """Scores the sampled `rows` of one source; afterwards `description`, `records` and `negatives` hold what came out."""

    def __init__(self, source: NegativeSource, index: SourceIndex, rows: INT64, scoring: Scoring, chunk: int) -> None:
        self._source, self._index, self._rows, self._scoring, self._chunk = source, index, rows, scoring, chunk
        vectors = scoring.vectors
        self.description = Description(vectors.passages.embeddings.dimension if vectors else None, scoring.weightings)
        self.records, self.negatives = _counted(index, rows)

    def run(self, path: Path | None) -> Iterator[int]:
        """Score chunk by chunk, writing the pairs to `path` if given; yields the number of records done so far.

        Raises NegauditError, and leaves no file, where the encoder gave no usable vector for any record.
        """
        with ExitStack() as stack:
            write = stack.enter_context(InOrder(self._writer(stack, path))) if path else None
            first = 0
            for batch in read_ahead(name_batches(self._source, self._chunk)):
                chunk = self._scored(first, first + batch.num_rows)
                if write and chunk is not None:
                    write.submit(chunk, batch, first)
                first += batch.num_rows
                yield first
            if not self.records.scored:
                raise NegauditError(
                    f"source '{self._source.name}': the encoder gave no usable vector for any of its {self.records.read} records "
                    "(zero or not finite); check the model's weights and precision"
                )

    def _writer(self, stack: ExitStack, path: Path) -> Callable[[PairChunk, pa.RecordBatch, int], None]:
        """Return the function that writes a chunk's pairs to `path`."""
        temporary = stack.enter_context(atomic_path(path))
        file = stack.enter_context(PairFile(temporary, encoded=self._scoring.vectors is not None))
        return lambda chunk, batch, first: file.write(self._table(chunk, batch, first))

    def _scored(self, first: int, stop: int) -> PairChunk | None:
        """Score and accumulate the sampled records among rows [first, stop); None where there are none."""
        rows = self._rows[np.searchsorted(self._rows, first) : np.searchsorted(self._rows, stop)]
        record, negative_index, at = self._pairs(rows)
        record, negative_index, at = self._usable(rows, record, negative_index, at)
        if not len(record):
            return None
        query, negative = self._index.query[record], self._index.negative[at]
        coverage = self._scoring.coverage.of(query, negative)
        if self._scoring.vectors is None:
            chunk, directions = PairChunk(record, negative_index, coverage, self._scoring.tau), None
        else:
            chunk, directions = self._encoded(self._scoring.vectors, record, negative_index, at, coverage)
        self.description.update(chunk, self._index.key[record[chunk.starts]], directions)
        return chunk

    def _pairs(self, rows: INT64) -> tuple[INT64, npt.NDArray[np.int32], INT64]:
        """Return row, position in the record and position in the source of each non-empty negative of `rows`."""
        counts = self._index.offsets[rows + 1] - self._index.offsets[rows]
        begins = np.concatenate([[0], np.cumsum(counts)])[:-1]
        within = np.arange(int(counts.sum())) - np.repeat(begins, counts)
        at = np.repeat(self._index.offsets[rows], counts) + within
        present = self._index.negative[at] != NO_TEXT
        return np.repeat(rows, counts)[present], within[present].astype(np.int32), at[present]

    def _usable(
        self, rows: INT64, record: INT64, negative_index: npt.NDArray[np.int32], at: INT64
    ) -> tuple[INT64, npt.NDArray[np.int32], INT64]:
        """Leave out and count the pairs with an unusable vector, and the records that have no pair left."""
        vectors = self._scoring.vectors
        if vectors is None:
            return record, negative_index, at
        index = self._index
        good = vectors.queries.usable(index.query[record]) & vectors.passages.usable(index.positive[record])
        good &= vectors.passages.usable(index.negative[at])
        self.negatives.reject("unusable_embedding", int((~good).sum()))
        self.records.reject("unusable_embedding", len(rows) - len(np.unique(record[good])))
        return record[good], negative_index[good], at[good]

    def _encoded(
        self, vectors: RunVectors, record: INT64, negative_index: npt.NDArray[np.int32], at: INT64, coverage: FLOATS
    ) -> tuple[PairChunk, FLOATS]:
        index = self._index
        equal = index.positive[record] == index.negative[at]
        positive, negative = vectors.passages.of(index.positive[record]), vectors.passages.of(index.negative[at])
        cosines = similarities(vectors.queries.of(index.query[record]), positive, negative, equal)
        directions = residuals(positive, negative, equal, self._scoring.zero_residual)
        directed = np.asarray(directions.any(axis=1))
        return PairChunk(record, negative_index, coverage, self._scoring.tau, cosines, directed), directions

    def _table(self, chunk: PairChunk, batch: pa.RecordBatch, first: int) -> pa.Table:
        query_ids = batch["query_id"].take(pa.array(chunk.record - first))
        at = self._index.offsets[chunk.record] + chunk.negative_index - self._index.offsets[first]
        negatives = batch["negatives"].flatten().take(pa.array(at))
        return pair_table(chunk, query_ids, negatives.field("id"), negatives.field("origin"))


def _counted(index: SourceIndex, rows: INT64) -> tuple[Counts, Counts]:
    """Return the counts of records and of negatives before any encoder had a say."""
    valid = index.state == VALID
    records = Counts(len(valid), int(valid.sum()), len(rows), record_counts(index.state))
    in_valid = np.repeat(valid, np.diff(index.offsets))
    present = index.negative != NO_TEXT
    sampled = np.zeros(len(valid), np.bool_)
    sampled[rows] = True
    reasons = {"in_rejected_record": int((~in_valid).sum()), "empty": int((in_valid & ~present).sum())}
    scored = int((present & np.repeat(sampled, np.diff(index.offsets))).sum())
    good = int((in_valid & present).sum())
    return records, Counts(len(present), good, scored, {reason: n for reason, n in reasons.items() if n})
