"""The tally of a mining run: what was read, kept and removed over many records, as numbers that add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from negaudit.data.metadata import Account
from negaudit.mining.selection import Selection

# How many records came short, by how many negatives in all, how many kept none, how many passages could not be ranked for them, and for
# how many the ranking was read no further although there was more.
SHORT = ("records", "missing_negatives", "without_negatives", "not_candidates", "beyond_depth")
DROPPED = "record_short_of_k"


class Tally:
    """Counts selections; tallies of portions add up to the whole run's."""

    def __init__(self) -> None:
        self._counts = Counter[str]()
        self._rejected = Counter[str]()

    @classmethod
    def sum(cls, parts: Iterable[Mapping[str, Mapping[str, int]]]) -> Tally:
        """Return the total of what as_dict gave for each part."""
        total = cls()
        for part in parts:
            total._counts.update(part["counts"])
            total._rejected.update(part["rejected"])
        return total

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Return the tally as JSON-ready data."""
        return {"counts": dict(self._counts), "rejected": dict(self._rejected)}

    def count(self, selection: Selection, k: int, passages: int, ranked: int, limit: int | None, *, dropped: bool = False) -> None:
        """Count one record's selection, taken from a ranking of `ranked` passages that was read down to `limit`."""
        used, counts = len(selection.negatives), self._counts
        counts["read"] += selection.account.read
        self._rejected.update(selection.account.rejected)
        if dropped:
            counts["dropped"] += 1
            self._rejected[DROPPED] += used
        else:
            counts["used"] += used
            counts["repeats"] += selection.repeats
        if used < k:
            stopped = limit is not None and ranked >= limit and ranked < passages
            counts["records"] += 1
            counts["missing_negatives"] += k - used
            counts["without_negatives"] += used == 0
            counts["beyond_depth"] += stopped
            counts["not_candidates"] += 0 if stopped else passages - ranked

    def negatives(self) -> Account:
        """Return the account of the candidates."""
        rejected = {reason: count for reason, count in self._rejected.items() if count}
        return Account(self._counts["read"], self._counts["used"], {"positive_id": 0, "positive_text": 0, **rejected})

    def queries(self, read: Account) -> Account:
        """Return the account of the queries, given the one of those that were mined for."""
        dropped = self._counts["dropped"]
        rejected = {**read.rejected, **({"short_of_k": dropped} if dropped else {})}
        return Account(read.read, read.used - dropped, rejected)

    def details(self, k: int, queries: int) -> dict[str, Any]:
        """Return what came short, how many negatives repeat a text in their record, and the yield: kept of k for each of `queries`."""
        asked = k * queries
        return {
            "short_records": {reason: self._counts[reason] for reason in SHORT},
            "repeats": self._counts["repeats"],
            "yield": {"asked": asked, "kept": self._counts["used"], "share": self._counts["used"] / asked},
        }
