"""The check `unrelated`: how much of a source looks like passages drawn at random, from where its negatives fall among such."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import BOOLS, Finding
from negaudit.auditing.checks.exchangeable_ranks import Ranks, best_ranks
from negaudit.auditing.checks.registry import register
from negaudit.auditing.severity import Severity

BINS = 20
RECORDS = 64


@register
class Unrelated:
    """An unrelated negative's rank among random passages is uniform, a related one's is near 1.

    The share of ranks up to the cut-off, over the cut-off, is the share of unrelated negatives (Storey's estimate of a null share). It is
    linear: a mixture of share f over a source that shows b is expected at f + (1 - f) b.
    """

    name: ClassVar[str] = "unrelated"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return each negative's rank (0: like no random passage is unlike), and the estimated share."""
        settings = context.profile.of(self.name)
        ranks, encoded = source_ranks(context)
        shares = ranks.below(settings["cut"]) / settings["cut"]
        known = ~np.isnan(shares)
        values = np.where(known, ranks.middle, np.nan)
        estimate = float(np.clip(shares[known].mean(), 0, 1)) if known.any() else 0.0
        measures = "encoder and words" if encoded and context.lexical else "the encoder" if encoded else "words alone, without an encoder"
        drawn = f"{context.null.size} random passages per query of {context.pool.description}"
        reason = f"about {estimate:.1%} of the negatives look like random passages to {measures} ({drawn})"
        flags = likely_unrelated(ranks, estimate)
        details = {"null": context.pool.description, "passages": context.null.size, "measures": measures}
        # A paraphrase shares no words with its query: words alone never condemn, and warn only where most of a source is like the corpus.
        warns = context.collection is not None and estimate >= settings["by_words"]
        most: Severity = "error" if encoded else "warn" if warns else "info"
        return Finding(values, flags, reason, shares, most=most, ceiling=1.0, details=details)


def likely_unrelated(ranks: Ranks, estimate: float) -> BOOLS:
    """Return which ranks more likely belong to an unrelated negative than not, given the estimated share of those.

    Unrelated ranks spread evenly over the bins, so what a bin holds beyond its part of the estimate is related. A rank between ties is
    spread over the bins that it may fall in.
    """
    known = ~np.isnan(ranks.low)
    kept = Ranks(ranks.low[known], ranks.high[known])
    held = np.diff([float(kept.below(edge).mean()) if len(kept.low) else 0.0 for edge in np.linspace(0, 1, BINS + 1)])
    posterior = np.minimum.accumulate(np.where(held > 0, np.minimum(1.0, estimate / BINS / np.maximum(held, 1e-12)), 1.0))
    bins = np.minimum((np.where(known, ranks.middle, 1.0) * BINS).astype(np.int64), BINS - 1)
    return np.asarray(known & (posterior[bins] >= 0.5) & (estimate > 0))


def source_ranks(context: CheckContext) -> tuple[Ranks, bool]:
    """Return the ranks of all negatives (NaN for an empty one), and whether the encoder had a part in them."""
    sample, encoded = context.sample, context.encoder is not None
    low, high = np.full(len(sample), np.nan), np.full(len(sample), np.nan)
    good = sample.present & ~np.isnan(context.s_neg) if encoded else sample.present
    for start in range(0, len(sample.rows), RECORDS):
        records = np.arange(start, min(start + RECORDS, len(sample.rows)))
        first, last = np.searchsorted(sample.record, [records[0], records[-1] + 1])
        at = np.flatnonzero(good[first:last]) + first
        if len(at):
            ranks = _ranked(context, records, at)
            low[at], high[at] = ranks.low, ranks.high
    return Ranks(low, high), encoded


def _ranked(context: CheckContext, records: np.ndarray, at: np.ndarray) -> Ranks:
    sample, passages = context.sample, context.null.passages[records]
    owner = sample.record[at]
    values, null = [], []
    if context.encoder is not None:
        values.append(context.s_neg[at])
        drawn = context.pool.vectors[passages.ravel()].reshape(*passages.shape, -1)
        null.append(np.einsum("rmd,rd->rm", drawn, context.queries[records]).astype(np.float64))
    if context.lexical or context.encoder is None:
        values.append(context.words.coverage(owner, sample.negative[at], context.words.texts))
        asked = np.repeat(records, passages.shape[1])
        null.append(context.words.coverage(asked, passages.ravel(), context.words.pool).reshape(passages.shape))
    return best_ranks(values, null, owner - records[0])
