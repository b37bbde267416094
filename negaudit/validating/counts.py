"""How much there is: records, distinct queries, positives and negatives per record, and records that have too few."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from negaudit.validating.check import Check, register
from negaudit.validating.chunk import Chunk

if TYPE_CHECKING:
    from negaudit.data.formats.source_file import SourceFile
    from negaudit.validating.numbers import Numbers


def distribution(counts: Counter[int]) -> dict[str, Any]:
    """Return the least, median, mean and greatest of counted numbers, and how many records have each ("counts": up to 100 of them)."""
    total = counts.total()
    if not total:
        return {"min": 0, "median": 0, "mean": 0.0, "max": 0, "total": 0, "counts": {}}
    ordered, before = sorted(counts.items()), 0
    median = ordered[-1][0]
    for number, times in ordered:
        before += times
        if 2 * before >= total:
            median = number
            break
    whole = sum(number * times for number, times in ordered)
    listed = {str(number): times for number, times in (ordered if len(ordered) <= 100 else sorted(counts.most_common(100)))}
    return {"min": ordered[0][0], "median": median, "mean": whole / total, "max": ordered[-1][0], "total": whole, "counts": listed}


@register
class NoNegatives(Check):
    """Records that list no negative at all."""

    name, what, severity, unit = "no_negatives", "records without a negative", "error", "records"

    def update(self, chunk: Chunk) -> None:
        """Count them."""
        self.of += len(chunk.records)
        self.take(chunk, chunk.queries, (at for at, record in enumerate(chunk.records) if not record.negatives))


@register
class NoPositives(Check):
    """Records that list no positive at all."""

    name, what, severity, unit = "no_positives", "records without a positive", "error", "records"

    def update(self, chunk: Chunk) -> None:
        """Count them."""
        self.of += len(chunk.records)
        self.take(chunk, chunk.queries, (at for at, record in enumerate(chunk.records) if not record.positives))


@register
class FewerNegatives(Check):
    """Records with fewer negatives than most have (but some)."""

    name, what, severity, unit = "fewer_negatives", "records with fewer negatives than usual", "info", "records"

    def __init__(self, file: SourceFile) -> None:
        super().__init__(file)
        self._counts: Counter[int] = Counter()
        self._first: dict[int, dict[str, Any]] = {}

    def update(self, chunk: Chunk) -> None:
        """Count the negatives of each record, and keep the first record of each count."""
        self.of += len(chunk.records)
        for at, record in enumerate(chunk.records):
            number = len(record.negatives)
            self._counts[number] += 1
            if number not in self._first and len(self._first) < 1000:
                self._first[number] = chunk.example(chunk.queries, at, negatives=number)

    def finish(self, _: Numbers, /) -> None:
        """Say what is usual, and count what is below it."""
        most = max(self._counts.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))[0]
        below = {number: times for number, times in self._counts.items() if 0 < number < most}
        self.count = sum(below.values())
        self.details = {"usual": most}
        for number in sorted(below):
            if number in self._first:
                self.keep(self._first[number])
