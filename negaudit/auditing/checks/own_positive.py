"""The check `own_positive`: negatives that are one of the record's own positives, exactly, after folding, or nearly."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.near_copies import likeness
from negaudit.auditing.checks.registry import register
from negaudit.auditing.checks.sample import INT64, Sample


@register
class OwnPositive:
    """A negative's value is how alike it and the nearest of its record's positives are, 1 for the same text or id."""

    name: ClassVar[str] = "own_positive"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the copies, and in the details how many of each kind."""
        sample, settings = context.sample, context.profile.of(self.name)
        pair, positive = pairs_with_positives(sample)
        size = len(sample)
        exact = _any(pair, sample.negative[pair] == sample.positive[positive], size)
        same = _any(pair, sample.folded[sample.negative[pair]] == sample.folded[sample.positive[positive]], size) | _same_id(sample)
        alike = likeness(context, sample.negative[pair], sample.positive[positive])
        near = _any(pair, alike.near(settings["near_tokens"], settings["near_cosine"]), size)
        flags = sample.present & (same | near)
        values = np.full(size, -np.inf)
        np.maximum.at(values, pair, alike.closest)
        values = np.where(sample.present, np.where(same, 1.0, values), np.nan)
        counts = {"exact": int(exact.sum()), "folded_or_id": int((same & ~exact).sum()), "near": int((flags & ~same).sum())}
        reason = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in counts.items())
        return Finding(values, flags, f"copies of the record's own positives: {reason}", details=counts)


def pairs_with_positives(sample: Sample) -> tuple[INT64, INT64]:
    """Return every pair of a negative (its place) and a positive of its record (its place in `sample.positive`)."""
    counts = np.diff(sample.positive_offsets)[sample.record]
    pair = np.repeat(np.arange(len(sample)), counts)
    begins = np.cumsum(counts) - counts
    within = np.arange(len(pair)) - np.repeat(begins, counts)
    return pair, sample.positive_offsets[sample.record][pair] + within


def _any(pair: INT64, found: np.ndarray, size: int) -> np.ndarray:
    """Return for each negative whether any of its pairs was found."""
    return np.bincount(pair, found, size) > 0


def _same_id(sample: Sample) -> np.ndarray:
    ids = [set(sample.positive_ids[a:b]) - {None} for a, b in zip(sample.positive_offsets[:-1], sample.positive_offsets[1:], strict=True)]
    return np.array([n.id in ids[record] for n, record in zip(sample.negatives, sample.record.tolist(), strict=True)], np.bool_)
