"""The check `encoding`: negatives with broken characters, text decoded wrongly, or markup left in."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import regex

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register

FAULTS = {
    "replacement character": regex.compile("\ufffd"),
    # UTF-8 read as Latin-1 or Windows-1252: a lead byte's letter followed by what a continuation byte turns into.
    "decoded twice": regex.compile("[\u00c2-\u00f4][\u0080-\u00bf]|[\u00c3\u00c2][\u0192\u00a0-\u00bf]|\u00e2\u20ac"),
    "control character": regex.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"),
    "entity": regex.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp);"),
}


@register
class Encoding:
    """A negative's value is how many faults its text has."""

    name: ClassVar[str] = "encoding"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives with a fault, and in the details how many have each kind."""
        sample = context.sample
        found = {name: np.array([len(fault.findall(text)) for text in sample.texts]) for name, fault in FAULTS.items()}
        values = sum(found.values(), np.zeros(len(sample.texts)))[sample.negative].astype(np.float64)
        values = np.where(sample.present, values, np.nan)
        counts = {name.replace(" ", "_"): int((faults[sample.negative] > 0).sum()) for name, faults in found.items()}
        told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count)
        flags = np.nan_to_num(values) > 0
        return Finding(values, flags, f"negatives with faulty text: {told or 'none'}", details=counts)
