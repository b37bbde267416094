"""Texts in which there is nothing to read."""

from __future__ import annotations

import numpy as np

from negaudit.validating.check import Check, register
from negaudit.validating.chunk import Chunk


@register
class EmptyTexts(Check):
    """Queries, positives and negatives that are empty or white space."""

    name, what, severity = "empty_texts", "texts that are empty or white space", "error"

    def update(self, chunk: Chunk) -> None:
        """Count them by role."""
        for side in chunk.sides:
            self.of += len(side.texts)
            found = np.flatnonzero(side.empty)
            self.take(chunk, side, found)
            if len(found):
                self.details[side.role] = self.details.get(side.role, 0) + len(found)
