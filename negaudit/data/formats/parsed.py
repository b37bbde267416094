"""What a reader makes of one place in a file: a record as it was found there, or the reason why it is none."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

Scores = Sequence[float | None]
Ids = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Lost:
    """A passage that a record names and that is not used: its role (positive, negative), the reason, and its id."""

    role: str
    reason: str
    id: str


@dataclass(slots=True)
class Found:
    """One record as a file has it. Lists of ids, scores, ranks and origins run parallel to their texts; None where the file has none.

    `line` is where it begins (in JSON arrays and tables the number of the element or row), `query_id` None where the file gives none,
    `left_out` the names of fields that a record has no place for.
    """

    line: int
    query: str
    positives: list[str]
    negatives: list[str]
    query_id: str | None = None
    positive_ids: Ids | None = None
    negative_ids: Ids | None = None
    positive_scores: Scores | None = None
    negative_scores: Scores | None = None
    ranks: Sequence[int | None] | None = None
    origins: Sequence[str] | None = None
    replaced: Sequence[bool | None] | None = None
    lost: Sequence[Lost] = ()
    left_out: Sequence[str] = ()

    @property
    def key(self) -> str:
        """The query id; where the file has none, the id made from the query's text, which is the same in every file."""
        return text_id(self.query) if self.query_id is None else self.query_id


@dataclass(frozen=True, slots=True)
class Reject:
    """A place in a file that holds no usable record: its line, the reason (one word), what was found there, and how it begins."""

    line: int
    reason: str
    detail: str
    content: str = ""


Item = Found | Reject


class UnusableError(Exception):
    """Raised by a reader for a row that cannot become a record; it becomes a Reject."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


def text_id(query: str) -> str:
    """Return the id of a query that has none: blake2b-64 of its text, 16 hex digits."""
    return hashlib.blake2b(query.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
