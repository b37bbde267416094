"""Lengths that give a negative away: negatives that are much longer or shorter than positives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from negaudit.validating.check import Check, Severity, register
from negaudit.validating.chunk import INT64, Chunk

if TYPE_CHECKING:
    from negaudit.data.formats.source_file import SourceFile
    from negaudit.validating.numbers import Numbers

# Ratios of lengths are counted in steps of a hundredth of a doubling, from 2^-20 to 2^20.
_STEPS, _RANGE = 100, 20
_RATIO, _ONE_SIDED = 2.0, 0.9


@register
class Lengths(Check):
    """Records whose negatives differ in length from their positive in a way that tells them apart."""

    name, what = "length_differences", "negatives at least twice as long or half as long as the positive"
    severity: Severity = "info"
    unit = "negatives"

    def __init__(self, file: SourceFile) -> None:
        super().__init__(file)
        self._ratios = np.zeros(2 * _RANGE * _STEPS + 1, np.int64)
        self._longer = self._shorter = 0

    def update(self, chunk: Chunk) -> None:
        """Take in the ratio of each negative's length (in characters) to its record's first positive's."""
        positive = np.array([len(record.positives[0].strip()) if record.positives else 0 for record in chunk.records], np.float64)
        negative = np.fromiter((len(text.strip()) for text in chunk.negatives.texts), np.float64, len(chunk.negatives.texts))
        against = positive[chunk.negatives.owner]
        both = (negative > 0) & (against > 0)
        ratio = negative[both] / against[both]
        places = np.clip(np.rint(np.log2(ratio) * _STEPS) + _RANGE * _STEPS, 0, len(self._ratios) - 1).astype(np.int64)
        self._ratios += np.bincount(places, minlength=len(self._ratios))
        self._longer += int((ratio > 1).sum())
        self._shorter += int((ratio < 1).sum())
        self.of += int(both.sum())
        far: INT64 = np.flatnonzero(both)[(ratio >= _RATIO) | (ratio <= 1 / _RATIO)]
        self.take(chunk, chunk.negatives, far)

    def finish(self, _: Numbers, /) -> None:
        """Judge the whole: the median ratio, and whether nearly all negatives lie on one side."""
        if not self.of:
            return
        middle = int(np.searchsorted(np.cumsum(self._ratios), self.of / 2))
        median = float(2.0 ** ((middle - _RANGE * _STEPS) / _STEPS))
        self.details = {"median_ratio": round(median, 3), "longer": self._longer / self.of, "shorter": self._shorter / self.of}
        one_sided = max(self._longer, self._shorter) >= _ONE_SIDED * self.of
        if self.of >= 100 and (one_sided or not 1 / _RATIO < median < _RATIO):
            self.severity = "warn"
            self.note = "length alone tells negatives from positives"
