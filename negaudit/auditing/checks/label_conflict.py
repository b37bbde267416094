"""The check `label_conflict`: negatives that the qrels judge relevant for this very query."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.judged import MIN_RELEVANCE, grades
from negaudit.auditing.checks.registry import register


@register
class LabelConflict:
    """A negative's value is its grade for the query, by id or by folded text; 0 where it is not judged."""

    name: ClassVar[str] = "label_conflict"
    needs: ClassVar[frozenset[str]] = frozenset({"collection"})

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives of grade 1 or more."""
        grade = grades(context)
        flags = np.nan_to_num(grade) >= MIN_RELEVANCE
        judged = int((~np.isnan(grade)).sum())
        reason = f"{int(flags.sum()):,} negatives are judged relevant for their query; {judged:,} of {len(flags):,} are judged at all"
        return Finding(np.nan_to_num(grade), flags, reason, details={"judged": judged})
