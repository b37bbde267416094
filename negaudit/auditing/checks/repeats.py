"""The check `repeats`: negatives that stand in their record more than once."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register


@register
class Repeats:
    """A negative's value is how many before it in its record have the same id or folded text; it is a repeat where that is 1 or more."""

    name: ClassVar[str] = "repeats"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the repeats; the first of its kind is none."""
        sample = context.sample
        values = np.zeros(len(sample))
        seen: dict[tuple[int, object], int] = {}
        texts = sample.folded[sample.negative].tolist()
        for place, (record, negative, text) in enumerate(zip(sample.record.tolist(), sample.negatives, texts, strict=True)):
            keys = [(record, text)] + ([(record, f"id {negative.id}")] if negative.id is not None else [])
            values[place] = max(seen.get(key, 0) for key in keys)
            for key in keys:
                seen[key] = seen.get(key, 0) + 1
        values = np.where(sample.present, values, np.nan)
        flags = np.nan_to_num(values) > 0
        return Finding(values, flags, f"{int(flags.sum()):,} negatives repeat another one of their record, by id or folded text")
