"""The check `query_echo`: negatives that are the query itself."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register
from negaudit.text.folding import folded


@register
class QueryEcho:
    """A negative's value is the length of the query over its own where it holds the query whole, 1 for the query itself, else 0."""

    name: ClassVar[str] = "query_echo"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives of which the query makes up the profile's share or more, after folding."""
        sample, bar = context.sample, context.profile.of(self.name)["share"]
        texts = [folded(text) for text in sample.texts]
        queries = [folded(query) for query in sample.queries]
        pairs = zip(sample.negative.tolist(), sample.record.tolist(), strict=True)
        values = np.array([_echo(queries[record], texts[number]) for number, record in pairs])
        values = np.where(sample.present, values, np.nan)
        flags = np.nan_to_num(values) >= bar
        return Finding(values, flags, f"{int(flags.sum()):,} negatives are the query itself, or little else")


def _echo(query: str, text: str) -> float:
    return len(query) / len(text) if query and query in text else 0.0
