"""The check `short`: negatives that are empty or hold next to no text."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register
from negaudit.text.folding import folded


@register
class Short:
    """A negative's value is its number of characters after folding, which serves scripts without spaces too."""

    name: ClassVar[str] = "short"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives of fewer characters than the profile's bar; empty ones count."""
        bar = context.profile.of(self.name)["characters"]
        lengths = np.array([len(folded(text)) for text in context.sample.texts], np.float64)
        values = lengths[context.sample.negative]
        flags = values < bar
        empty = int((~context.sample.present).sum())
        return Finding(values, flags, f"{int(flags.sum()):,} negatives have fewer than {bar:.0f} characters, {empty:,} of them none")
