"""The check `cross_positive`: negatives that are a positive of another query, beyond what chance and nearness explain."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import BOOLS, FLOATS, CannotRunError, Finding
from negaudit.auditing.checks.judged import judged
from negaudit.auditing.checks.neighbor import own_positives
from negaudit.auditing.checks.null_draw import own_passages
from negaudit.auditing.checks.registry import register
from negaudit.text.folding import folded

HALF_WINDOW = 10
RECORDS = 64


@register
class CrossPositive:
    """A negative's value is 1 where it is another query's positive, else 0; the check's value is the excess over what is expected.

    Expected is the share of positives among the pool passages just nearer and just farther to the query than the negative (the pool's
    share, without an encoder).
    """

    name: ClassVar[str] = "cross_positive"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the positives of others; raises CannotRunError where so many passages are positives that it would say nothing."""
        sample, settings = context.sample, context.profile.of(self.name)
        known = judged(context)
        texts = known.positives if known else frozenset(folded(sample.texts[number]) for number in set(sample.positive.tolist()))
        in_pool = np.array([folded(text) in texts for text in context.pool.texts], np.bool_)
        rate = float(in_pool.mean())
        if rate > settings["most_positives"]:
            raise CannotRunError(
                f"{rate:.0%} of the passages of {context.pool.where} are a positive of some query, so being one is no sign"
            )
        positive = np.array([folded(text) in texts for text in sample.texts], np.bool_)[sample.negative]
        own = own_positives(sample) | ~sample.present
        values = np.where(own, np.nan, positive.astype(np.float64))
        expected = np.full(len(sample), rate) if context.encoder is None else near_rate(context, in_pool)
        flags = ~own & positive
        reason = (
            f"{np.nanmean(values) if (~own).any() else 0:.1%} of the negatives are a positive of another query, where "
            f"{expected[~own].mean() if (~own).any() else 0:.1%} are expected of passages as near ({rate:.1%} by chance)"
        )
        return Finding(values, flags, reason, np.where(np.isnan(expected), np.nan, values - expected), details={"by_chance": rate})


def near_rate(context: CheckContext, in_pool: BOOLS) -> FLOATS:
    """Return for each negative the share of positives among the 2 · HALF_WINDOW pool passages nearest to it in its query's ranking.

    The record's own passages are left out, so a ranking that holds nothing else than positives does not explain itself.
    """
    sample, found = context.sample, np.full(len(context.sample), np.nan)
    for first in range(0, len(sample.rows), RECORDS):
        block = context.queries[first : first + RECORDS] @ context.pool.vectors.T
        for record, similarity in enumerate(block, first):
            start, stop = np.searchsorted(sample.record, [record, record + 1])
            similarity[list(own_passages(sample, context.pool, record))] = np.nan  # NaN is sorted to the end
            found[start:stop] = _around(similarity, in_pool, context.s_neg[start:stop])
    return np.where(np.isnan(context.s_neg), np.nan, found)


def _around(similarity: np.ndarray, in_pool: BOOLS, own: FLOATS) -> FLOATS:
    order = np.argsort(similarity, kind="stable")[: int((~np.isnan(similarity)).sum())]
    before = np.concatenate([[0], np.cumsum(in_pool[order])])
    at = np.searchsorted(similarity[order], own)
    low = np.clip(at - HALF_WINDOW, 0, max(0, len(order) - 2 * HALF_WINDOW))
    high = np.minimum(low + 2 * HALF_WINDOW, len(order))
    return np.asarray((before[high] - before[low]) / np.maximum(1, high - low))
