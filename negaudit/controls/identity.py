"""What a passage counts as the same by: its id and its folded text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from negaudit.data.record import Record
from negaudit.text.folding import folded


@dataclass(slots=True)
class Passages:
    """A set of passages, each known by its id (where it has one) and by its folded text."""

    ids: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, passages: Iterable[tuple[str | None, str]]) -> Passages:
        """Return the set of the given (id, text) passages."""
        result = cls()
        for passage_id, text in passages:
            result.add(passage_id, text)
        return result

    @classmethod
    def positives(cls, record: Record) -> Passages:
        """Return the record's positives."""
        return cls.of(zip(record.positive_ids, record.positives, strict=True))

    @classmethod
    def negatives(cls, record: Record) -> Passages:
        """Return the record's negatives."""
        return cls.of((negative.id, negative.text) for negative in record.negatives)

    def add(self, passage_id: str | None, text: str) -> None:
        """Put one passage into the set; an empty text is like no other."""
        if passage_id is not None:
            self.ids.add(passage_id)
        if text:
            self.texts.add(folded(text))

    def holds(self, passage_id: str | None, text: str) -> bool:
        """Return whether a passage of this id or of this folded text is in the set."""
        return passage_id in self.ids or folded(text) in self.texts

    def meets(self, other: Passages) -> bool:
        """Return whether the two sets share an id or a folded text."""
        return not (self.ids.isdisjoint(other.ids) and self.texts.isdisjoint(other.texts))
