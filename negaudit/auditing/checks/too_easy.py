"""The check `too_easy`: negatives that the frozen encoder tells from the positive with near certainty."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import Finding
from negaudit.auditing.checks.registry import register
from negaudit.scoring.gates import sigmoid


@register
class TooEasy:
    """A negative's value is rho = sigmoid((u·v+ - u·v-) / tau); above 0.99 its gradient is next to nothing (the paper, appendix B.4)."""

    name: ClassVar[str] = "too_easy"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives of rho above the profile's bar."""
        bar = context.profile.of(self.name)["rho"]
        rho = sigmoid((context.s_pos - context.s_neg) / context.tau)
        flags = np.nan_to_num(rho) > bar
        return Finding(rho, flags, f"rho is above {bar} for {int(flags.sum()):,} negatives: they teach this encoder next to nothing")
