"""The encoder's side of a run: one vector for each distinct text of the sampled records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.indexing import RunIndex
from negaudit.scoring.number_lists import INT32, NO_TEXT
from negaudit.scoring.text_spool import TextSpool

if TYPE_CHECKING:
    from negaudit.encoding.contract import Kind
    from negaudit.encoding.embeddings import Embeddings
    from negaudit.encoding.encoder import FrozenEncoder

Rows = Mapping[str, npt.NDArray[np.int64]]
Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class TextVectors:
    """Vectors of texts by number: `place[number]` is the position in `embeddings`, -1 for a text that was not embedded."""

    embeddings: Embeddings
    place: INT32

    def usable(self, numbers: INT32) -> npt.NDArray[np.bool_]:
        """Return whether each text has a finite vector other than zero."""
        return self.embeddings.usable[self.place[numbers]]

    def of(self, numbers: INT32) -> npt.NDArray[np.float64]:
        """Return the unit vectors of the texts, (n, d); a vector that several share is read once."""
        distinct, where = np.unique(numbers, return_inverse=True)
        return self.embeddings.gather(self.place[distinct]).astype(np.float64)[where]


@dataclass(frozen=True)
class RunVectors:
    """The vectors of a run's sampled queries and passages."""

    queries: TextVectors
    passages: TextVectors


def run_vectors(sources: Mapping[str, NegativeSource], index: RunIndex, rows: Rows, encoder: FrozenEncoder, report: Report) -> RunVectors:
    """Embed the distinct queries and passages of the sampled `rows` of every source, each once for the whole run.

    Raises NegauditError for an encoder that keeps vectors of any length: every statistic is defined on unit vectors.
    """
    if encoder.contract.similarity != "cosine":
        found = f"the encoder {encoder.contract.model} was loaded with similarity '{encoder.contract.similarity}'"
        raise NegauditError(f"{found}, and scores are defined on unit vectors; load it with similarity 'cosine'")
    queries, passages = _TextCollector(len(index.tokens)), _TextCollector(len(index.tokens))
    for name, source in sources.items():
        part, chosen = index.sources[name], np.zeros(len(index.sources[name].query), np.bool_)
        chosen[rows[name]] = True
        first = 0
        for batch in source.batches():
            span = slice(first, first + batch.num_rows)
            picked = chosen[span]
            queries.add(np.where(picked, part.query[span], NO_TEXT), batch["query"])
            _add_passages(passages, batch, picked, part.positive[span], part.negative[part.offsets[first] : part.offsets[span.stop]])
            first = span.stop
    return RunVectors(queries.embedded(encoder, "query", report), passages.embedded(encoder, "passage", report))


def _add_passages(passages: _TextCollector, batch: pa.RecordBatch, picked: npt.NDArray[np.bool_], positive: INT32, negative: INT32) -> None:
    """Collect the first non-empty positive and the negatives of the picked records of one batch."""
    counts = batch["negatives"].value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    passages.add(np.where(np.repeat(picked, counts), negative, NO_TEXT), batch["negatives"].flatten().field("text"))
    lists = batch["positives"]
    flat, lengths = lists.flatten(), lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    present = pc.fill_null(pc.not_equal(pc.utf8_trim_whitespace(flat), ""), False).to_numpy(zero_copy_only=False)
    owners = np.repeat(np.arange(len(picked)), lengths)[present]
    firsts, at = np.unique(owners, return_index=True)
    texts = flat.take(pa.array(np.flatnonzero(present)[at]))
    passages.add(np.where(picked[firsts], positive[firsts], NO_TEXT), texts)


class _TextCollector:
    """Keeps the first copy of each wanted text, by number."""

    def __init__(self, size: int) -> None:
        self._place = np.full(size, -1, np.int32)
        self._texts = TextSpool()

    def add(self, numbers: INT32, texts: pa.Array) -> None:
        """Take in the texts whose number is not NO_TEXT and that were not taken yet."""
        wanted = np.flatnonzero((numbers != NO_TEXT) & (self._place[numbers] < 0))
        new, first = np.unique(numbers[wanted], return_index=True)
        self._place[new] = len(self._texts) + np.arange(len(new), dtype=np.int32)
        self._texts.append(texts.take(pa.array(wanted[first])))

    def embedded(self, encoder: FrozenEncoder, kind: Kind, report: Report) -> TextVectors:
        """Embed what was taken in."""
        return TextVectors(encoder.embed(self._texts, kind, progress=partial(report, f"encoding {kind} texts")), self._place)
