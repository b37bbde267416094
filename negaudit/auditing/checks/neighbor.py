"""The check `neighbor`: negatives found around the positive and not around the query."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import FLOATS, Finding
from negaudit.auditing.checks.registry import register
from negaudit.auditing.checks.sample import Sample
from negaudit.scoring.gates import sigmoid

RECORDS = 64


@register
class Neighbor:
    """A negative's value is eta = sigmoid((v+·v- - u·v-) / tau), the paper's passage locality (section 4.1).

    How large eta is depends on the encoder, so the verdict is by rank: among the pool's passages, is the negative nearer to the positive
    than to the query? Of random passages half are; what was mined for the query is nearer to the query. Copies of the record's own
    positives do not count, they have a check of their own.
    """

    name: ClassVar[str] = "neighbor"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives nearer to the positive by a clear step, and the share that is nearer at all (a tie counts half)."""
        sample, settings = context.sample, context.profile.of(self.name)
        to_query, to_positive = passages_nearer(context)
        own = own_positives(sample) | np.isnan(context.s_neg)
        eta = np.where(own, np.nan, sigmoid((context.s_posneg - context.s_neg) / context.tau))
        shares = np.where(own, np.nan, (to_positive < to_query) + 0.5 * (to_positive == to_query))
        flags = ~own & (settings["step"] * (to_positive + 1) <= to_query + 1)
        counted = int((~own).sum())
        mean = float(np.nanmean(eta)) if counted else 0.0
        reason = (
            f"{np.nansum(shares) / max(1, counted):.0%} of the negatives are nearer to the positive than to the query by how many "
            f"of {context.pool.description} lie between (random passages: 50%); mean eta {mean:.3f}"
        )
        return Finding(eta, flags, reason, shares, details={"mean_eta": mean})


def own_positives(sample: Sample) -> np.ndarray:
    """Return which negatives have the folded text of one of their record's positives."""
    from negaudit.auditing.checks.own_positive import pairs_with_positives

    pair, positive = pairs_with_positives(sample)
    same = sample.folded[sample.negative[pair]] == sample.folded[sample.positive[positive]]
    return np.bincount(pair, same, len(sample)) > 0


def passages_nearer(context: CheckContext) -> tuple[FLOATS, FLOATS]:
    """Return for each negative how many pool passages are nearer to its query, and how many nearer to its first positive."""
    sample, vectors = context.sample, context.pool.vectors
    to_query, to_positive = np.zeros(len(sample)), np.zeros(len(sample))
    positives = context.passages[sample.first_positive]
    for start in range(0, len(sample.rows), RECORDS):
        stop = min(start + RECORDS, len(sample.rows))
        first, last = np.searchsorted(sample.record, [start, stop])
        where = sample.record[first:last] - start
        for found, anchors, own in ((to_query, context.queries, context.s_neg), (to_positive, positives, context.s_posneg)):
            sorted_rows = np.sort(anchors[start:stop] @ vectors.T, axis=1)
            found[first:last] = _above(sorted_rows, where, own[first:last])
    return to_query, to_positive


def _above(rows: np.ndarray, where: np.ndarray, values: FLOATS) -> FLOATS:
    """Return for each value how many numbers of the (ascending) row `where` lie above it by more than float noise."""
    found = np.zeros(len(values))
    for row in range(len(rows)):
        at = where == row
        found[at] = rows.shape[1] - np.searchsorted(rows[row], values[at] + 1e-6, side="right")
    return found
