"""The passages that a random negative is drawn from: the collection's, else those of the run's sources."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from negaudit.controls.draws import Draws
from negaudit.controls.identity import Passages
from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource

# After so many draws in a row that may not be used, the passages that may be are listed and one of them is drawn.
ATTEMPTS = 64


class PassagePool:
    """Non-empty passages in an order that does not depend on the order of any file (by id, else by text)."""

    def __init__(self, table: pa.Table, by: str) -> None:
        ordered = table.sort_by(by)
        self._ids, self._texts = ordered["id"].combine_chunks(), ordered["text"].combine_chunks()

    @classmethod
    def of_collection(cls, collection: Collection) -> PassagePool:
        """Return the pool of all passages of the collection."""
        return cls(collection.passages.select(["id", "text"]), by="id")

    @classmethod
    def of_sources(cls, sources: Iterable[NegativeSource]) -> PassagePool:
        """Return the pool of the exactly distinct texts of the sources' positives and negatives, each with its smallest id."""
        none = pa.table({"id": pa.array([], pa.string()), "text": pa.array([], pa.large_string())})
        parts = [part for source in sources for batch in source.batches() for part in _passages(batch)]
        table = pa.concat_tables([none, *parts])
        filled = table.filter(pc.greater(pc.utf8_length(pc.utf8_trim_whitespace(table["text"])), 0))
        return cls(filled.group_by("text").aggregate([("id", "min")]).rename_columns({"id_min": "id"}), by="text")

    def __len__(self) -> int:
        return len(self._texts)

    def draw(self, excluded: Passages, draws: Draws, *label: object) -> tuple[str | None, str] | None:
        """Return a passage (id, text) drawn uniformly from those that are not in `excluded`, or None where all are."""
        for attempt in range(ATTEMPTS if len(self) else 0):
            passage = self._passage(draws.below(len(self), *label, attempt))
            if not excluded.holds(*passage):
                return passage
        allowed = [number for number in range(len(self)) if not excluded.holds(*self._passage(number))]
        return self._passage(allowed[draws.below(len(allowed), *label, "listed")]) if allowed else None

    def _passage(self, number: int) -> tuple[str | None, str]:
        return self._ids[number].as_py(), self._texts[number].as_py()


def _passages(batch: pa.RecordBatch) -> Iterable[pa.Table]:
    """Yield tables of (id, text) of a batch's positives and negatives."""
    negatives = pc.list_flatten(batch["negatives"])
    columns = (
        (pc.list_flatten(batch["positive_ids"]), pc.list_flatten(batch["positives"])),
        (pc.struct_field(negatives, "id"), pc.struct_field(negatives, "text")),
    )
    for ids, texts in columns:
        yield pa.table({"id": ids, "text": texts.cast(pa.large_string())})
