"""Scores that are no numbers, stand in no order, or put a negative above the positive."""

from __future__ import annotations

import math

from negaudit.validating.check import Check, register
from negaudit.validating.chunk import Chunk


@register
class NonFiniteScores(Check):
    """Scores that are infinite or not a number."""

    name, what, severity, unit = "non_finite_scores", "scores that are infinite or not a number", "error", "scores"

    def update(self, chunk: Chunk) -> None:
        """Count them among positives and negatives."""
        for record in chunk.records:
            for role, scores in (("positives", record.positive_scores), ("negatives", record.negative_scores)):
                for place, score in enumerate(scores or ()):
                    if score is None:
                        continue
                    self.of += 1
                    if not math.isfinite(score):
                        self.count += 1
                        self.keep({"line": record.line, "query_id": record.key, "where": f"{role}[{place}]", "text": str(score)})


@register
class OutOfOrder(Check):
    """Records whose negatives do not stand from the highest score to the lowest."""

    name, what, severity, unit = "scores_out_of_order", "records whose negatives are not in order of their scores", "info", "records"

    def update(self, chunk: Chunk) -> None:
        """Look at the records with scores, each origin by itself."""
        for at, record in enumerate(chunk.records):
            if not record.negative_scores:
                continue
            self.of += 1
            last: dict[str, float] = {}
            origins = record.origins or [""] * len(record.negatives)
            for origin, score in zip(origins, record.negative_scores, strict=True):
                if score is not None and score > last.get(origin, math.inf):
                    self.take(chunk, chunk.queries, [at])
                    break
                if score is not None:
                    last[origin] = score


@register
class AbovePositive(Check):
    """Negatives with a score at or above the first positive's."""

    name, what, severity, unit = "score_at_or_above_positive", "negatives that score at or above the first positive", "warn", "negatives"

    def update(self, chunk: Chunk) -> None:
        """Count them, and the records they are in."""
        starts = _starts(chunk)
        for at, record in enumerate(chunk.records):
            positive = next((score for score in record.positive_scores or () if score is not None), None)
            if positive is None or not record.negative_scores:
                continue
            self.of += sum(score is not None for score in record.negative_scores)
            above = [place for place, score in enumerate(record.negative_scores) if score is not None and score >= positive]
            if above:
                self.details["records"] = self.details.get("records", 0) + 1
            for place in above:
                scores = {"score": record.negative_scores[place], "positive_score": positive}
                self.take(chunk, chunk.negatives, [starts[at] + place], **scores)


def _starts(chunk: Chunk) -> list[int]:
    """Return where the negatives of each record begin among all of the chunk."""
    starts, total = [], 0
    for record in chunk.records:
        starts.append(total)
        total += len(record.negatives)
    return starts
