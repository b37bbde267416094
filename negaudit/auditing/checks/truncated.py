"""The check `truncated`: negatives that break off in the middle of a sentence where the positives do not."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import regex

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register

# A text is finished by a mark that ends a sentence, or closes a quotation, a bracket or a table.
_FINISHED = regex.compile(r"[\p{Sentence_Terminal}…:;\p{Pe}\p{Pf}\"'`|>}]\s*$")


@register
class Truncated:
    """A negative's value is 1 where it breaks off. The check's value is how much more often that is than for the records' positives."""

    name: ClassVar[str] = "truncated"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives that break off, and in the details how many the encoder itself cuts."""
        sample = context.sample
        broken = np.array([not _FINISHED.search(text) for text in sample.texts], np.float64)
        values = np.where(sample.present, broken[sample.negative], np.nan)
        positives = broken[sample.first_positive][sample.record]
        flags = np.nan_to_num(values) > positives
        rates = f"{np.nanmean(values):.1%} of the negatives and {positives.mean():.1%} of their positives end without a closing mark"
        details = {} if context.encoder is None else {"cut_by_encoder": float(context.embeddings.truncated[sample.negative].mean())}
        cut = f"; the encoder reads only the beginning of {details['cut_by_encoder']:.0%}" if details else ""
        return Finding(values, flags, rates + cut, values - positives, details=details)
