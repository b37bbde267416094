"""The check `hubs`: passages that are a negative of very many records."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register

TOP = 100


@register
class Hubs:
    """A negative's value is in how many records its text is a negative.

    It is a hub where that is at least the profile's share of the records, and so many times what it would be if the negatives were spread
    evenly over the passages there are: in a small corpus every passage is met often.
    """

    name: ClassVar[str] = "hubs"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives that are hubs, and in the details what part of the source the top hundred passages are."""
        sample, settings = context.sample, context.profile.of(self.name)
        pairs = np.unique(np.column_stack([sample.record, sample.negative])[sample.present], axis=0)
        uses = np.bincount(pairs[:, 1], minlength=len(sample.texts))
        even = len(pairs) / max(context.pool.total, int((uses > 0).sum()))
        bar = max(settings["share"] * len(sample.rows), settings["times"] * even, settings["records"])
        values = np.where(sample.present, uses[sample.negative].astype(np.float64), np.nan)
        flags = np.nan_to_num(values) >= bar
        top = float(np.sort(uses)[::-1][:TOP].sum() / max(1, len(pairs)))
        details = {"top_hundred_share": top, "bar": float(bar), "largest": int(uses.max(initial=0))}
        reason = f"{int((uses >= bar).sum()):,} passages are in {bar:.0f} records or more; the top {TOP} make up {top:.0%} of the source"
        return Finding(values, flags, reason, details=details)
