"""Some records of a file at once: their texts side by side, each with its record, its place and the number of its folded form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.data.formats.parsed import Found
from negaudit.text.distinct_texts import DistinctTexts
from negaudit.text.folding import folded

INT32 = npt.NDArray[np.int32]
INT64 = npt.NDArray[np.int64]
_SHOWN = 160


@dataclass(frozen=True)
class Side:
    """All queries, all positives or all negatives of a chunk. Text i belongs to record `owner[i]` of the chunk, at `place[i]` of its list;
    two texts with equal `numbers` are the same after folding (`empty`: nothing is left).
    """

    role: str
    texts: list[str]
    owner: INT64
    place: INT64
    numbers: INT32
    empty: npt.NDArray[np.bool_]

    @cached_property
    def arrow(self) -> pa.Array:
        """The texts as an Arrow array, for expressions over all of them."""
        return pa.array(self.texts, pa.large_string())

    @cached_property
    def not_ascii(self) -> list[int]:
        """The positions of texts that hold more than ASCII."""
        return [at for at, text in enumerate(self.texts) if not text.isascii()]


@dataclass(frozen=True)
class Chunk:
    """The records `records` of a file, the first of which is record number `first` (from 0)."""

    first: int
    records: Sequence[Found]
    queries: Side
    positives: Side
    negatives: Side

    @property
    def sides(self) -> tuple[Side, Side, Side]:
        """Queries, positives and negatives."""
        return self.queries, self.positives, self.negatives

    @cached_property
    def own_positive(self) -> npt.NDArray[np.bool_]:
        """Whether each negative is, after folding, a positive of its own record; empty texts are none."""
        return np.isin(pair_keys(self.negatives), pair_keys(self.positives)) & ~self.negatives.empty

    def example(self, side: Side, at: int, **more: Any) -> dict[str, Any]:
        """Return where a text is (line, query id, place) and how it begins."""
        record = self.records[int(side.owner[at])]
        where = side.role if side is self.queries else f"{side.role}[{side.place[at]}]"
        return {"line": record.line, "query_id": record.key, "where": where, "text": side.texts[at][:_SHOWN], **more}


class ChunkMaker:
    """Makes chunks of one file; a folded text has the same number in all of them."""

    def __init__(self) -> None:
        self._numbers = DistinctTexts()
        self._first = 0

    @property
    def distinct(self) -> int:
        """How many distinct texts there are after folding."""
        return len(self._numbers)

    def chunk(self, records: Sequence[Found]) -> Chunk:
        """Return the next records of the file as a chunk."""
        single = [1] * len(records)
        queries = self._side("query", [record.query for record in records], single)
        positives = self._of_lists("positives", [record.positives for record in records])
        negatives = self._of_lists("negatives", [record.negatives for record in records])
        made = Chunk(self._first, records, queries, positives, negatives)
        self._first += len(records)
        return made

    def _of_lists(self, role: str, lists: Sequence[Sequence[str]]) -> Side:
        return self._side(role, [text for texts in lists for text in texts], [len(texts) for texts in lists])

    def _side(self, role: str, texts: list[str], counts: Sequence[int]) -> Side:
        lengths = np.asarray(counts, np.int64)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(len(texts)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        forms = [folded(text) for text in texts]
        numbers, _ = self._numbers.number(forms)
        return Side(role, texts, owner, place, numbers, np.fromiter((not form for form in forms), np.bool_, len(forms)))


def pair_keys(side: Side) -> INT64:
    """Return one key for each (record of the chunk, folded text)."""
    return (side.owner << 32) | side.numbers.astype(np.int64)
