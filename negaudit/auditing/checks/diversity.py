"""The check `diversity`: whether a source's negatives pull in many directions, or in few and alike."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import FLOATS, Finding
from negaudit.auditing.checks.near_copies import likeness
from negaudit.auditing.checks.registry import register
from negaudit.auditing.checks.sample import INT64, Sample
from negaudit.scoring.gates import residuals
from negaudit.scoring.geometry import ResidualMoment

CHUNK = 8192


@register
class Diversity:
    """A negative's value is how alike it and the most alike one before it in its record are; the same text is a repeat, not counted here.

    The details hold the effective rank exp(entropy of the normalised eigenvalues) of the residual directions' second moment.
    """

    name: ClassVar[str] = "diversity"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def run(self, context: CheckContext) -> Finding:
        """Return the near copies within records; it warns on an effective rank below the profile's bar too."""
        sample, settings = context.sample, context.profile.of(self.name)
        later, earlier = pairs_within(sample)
        different = sample.folded[sample.negative[later]] != sample.folded[sample.negative[earlier]]
        later, earlier = later[different], earlier[different]
        alike = likeness(context, sample.negative[later], sample.negative[earlier])
        near = np.bincount(later, alike.near(settings["near_tokens"], settings["near_cosine"]), len(sample)) > 0
        values = np.zeros(len(sample))
        np.maximum.at(values, later, alike.closest)
        rank = effective_rank(context)
        few = rank < settings["least_rank"] <= len(sample) / 10
        details = {"effective_rank": rank, "dimension": int(context.passages.shape[1])}
        reason = f"{int(near.sum()):,} negatives nearly copy another of their record; the residuals' effective rank is {rank:.0f}"
        values = np.where(sample.present, values, np.nan)
        return Finding(values, sample.present & near, reason, least="warn" if few else "ok", details=details)


def pairs_within(sample: Sample) -> tuple[INT64, INT64]:
    """Return every pair of two negatives of one record, the later first."""
    starts = np.searchsorted(sample.record, sample.record)
    counts = np.arange(len(sample)) - starts
    later = np.repeat(np.arange(len(sample)), counts)
    within = np.arange(len(later)) - np.repeat(np.cumsum(counts) - counts, counts)
    return later, starts[later] + within


def effective_rank(context: CheckContext) -> float:
    """Return exp of the entropy of the eigenvalues' shares, between 1 and the dimension; 0 where no residual has a direction."""
    sample, moment = context.sample, ResidualMoment(context.passages.shape[1])
    at = np.flatnonzero(~np.isnan(context.s_neg))
    for start in range(0, len(at), CHUNK):
        part = at[start : start + CHUNK]
        positive = context.passages[sample.first_positive[sample.record[part]]].astype(np.float64)
        negative = context.passages[sample.negative[part]].astype(np.float64)
        moment.update(np.ones(len(part)), residuals(positive, negative, context.is_first_positive[part], 1e-4))
    return _entropy_rank(moment.eigenvalues())


def _entropy_rank(eigenvalues: FLOATS) -> float:
    if eigenvalues.sum() <= 0:
        return 0.0
    shares = eigenvalues[eigenvalues > 0] / eigenvalues.sum()
    return float(np.exp(-(shares * np.log(shares)).sum()))
