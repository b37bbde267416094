"""The check `script`: negatives in another script than their positive and their query."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import regex

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register

# Japanese mixes Han and kana, so they are one; what none of them matches has no script to compare.
SCRIPTS = {
    "Latin": r"\p{Latin}",
    "Cyrillic": r"\p{Cyrillic}",
    "Greek": r"\p{Greek}",
    "Arabic": r"\p{Arabic}",
    "Hebrew": r"\p{Hebrew}",
    "Devanagari": r"\p{Devanagari}",
    "Bengali": r"\p{Bengali}",
    "Tamil": r"\p{Tamil}",
    "Telugu": r"\p{Telugu}",
    "Thai": r"\p{Thai}",
    "Hangul": r"\p{Hangul}",
    "Han or kana": r"[\p{Han}\p{Hiragana}\p{Katakana}]",
}
_PATTERNS = {name: regex.compile(f"{pattern}+") for name, pattern in SCRIPTS.items()}
NONE = -1


@register
class Script:
    """A negative's value is 1 where most of its letters are of a script that is neither its positive's nor its query's."""

    name: ClassVar[str] = "script"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives in a foreign script; those without letters do not count."""
        sample = context.sample
        texts = np.array([main_script(text) for text in sample.texts])
        queries = np.array([main_script(query) for query in sample.queries])
        mine = texts[sample.negative]
        foreign = (mine != texts[sample.first_positive][sample.record]) & (mine != queries[sample.record])
        values = np.where(mine == NONE, np.nan, foreign.astype(np.float64))
        flags = np.nan_to_num(values) > 0
        return Finding(values, flags, f"{int(flags.sum()):,} negatives are in another script than their positive and their query")


def main_script(text: str) -> int:
    """Return the number of the script that most of the letters are of, NONE where there is none of those known."""
    counts = [sum(len(run) for run in pattern.findall(text)) for pattern in _PATTERNS.values()]
    best = int(np.argmax(counts))
    return best if counts[best] else NONE
