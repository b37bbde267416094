"""One record: a query, its labelled positives and its explicit negatives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Negative:
    """One negative passage and where it came from; rank is the miner's, score in the miner's own unit."""

    text: str
    origin: str
    id: str | None = None
    rank: int | None = None
    score: float | None = None
    replaced: bool | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A query with its positives (best first) and its negatives (in the source's order).

    `positive_ids` run parallel to `positives`, None where an id is unknown; left out, they are all unknown.
    """

    query_id: str
    query: str
    positives: tuple[str, ...]
    negatives: tuple[Negative, ...]
    positive_ids: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        if not self.positive_ids:
            object.__setattr__(self, "positive_ids", (None,) * len(self.positives))
        if len(self.positive_ids) != len(self.positives):
            raise ValueError(f"record {self.query_id}: {len(self.positive_ids)} positive ids for {len(self.positives)} positives")
