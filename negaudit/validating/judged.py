"""Negatives that the judgements say are relevant to their query."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from negaudit.text.folding import folded
from negaudit.validating.check import Check, Finding, register
from negaudit.validating.chunk import Chunk

if TYPE_CHECKING:
    from negaudit.data.formats.source_file import SourceFile


@register
class JudgedRelevant(Check):
    """Negatives that are judged relevant to this query, by id or by folded text."""

    name, what, severity, unit = "judged_relevant", "negatives that are judged relevant to their query", "error", "negatives"

    def __init__(self, file: SourceFile) -> None:
        super().__init__(file)
        self._relevant = lru_cache(maxsize=1024)(self._relevant_to)

    def update(self, chunk: Chunk) -> None:
        """Count them where the query is judged."""
        if self.file.lookup.judgements is None:
            return
        start = 0
        for record in chunk.records:
            ids, forms = self._relevant(record.key)
            self.of += len(record.negatives) if ids else 0
            for place, text in enumerate(record.negatives if ids else ()):
                identifier = record.negative_ids[place] if record.negative_ids else None
                if identifier in ids or folded(text) in forms:
                    self.take(chunk, chunk.negatives, [start + place])
            start += len(record.negatives)

    def finding(self) -> Finding:
        """Return what was found; not_run without judgements."""
        found = super().finding()
        if self.file.lookup.judgements is None:
            return Finding(self.name, self.what, "not_run", 0, 0, self.unit, note="no judgements were given (--dataset, or --qrels)")
        return found

    def _relevant_to(self, query_id: str) -> tuple[frozenset[str], frozenset[str]]:
        ids = self.file.lookup.relevant.get(query_id, ())
        _, texts, _ = self.file.lookup.known(ids, "positive")
        return frozenset(ids), frozenset(folded(text) for text in texts)
