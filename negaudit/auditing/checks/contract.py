"""What a check is: it gets a source's sample and returns a value and a flag per negative, and what its summary is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from negaudit.auditing.severity import Severity

if TYPE_CHECKING:
    from negaudit.auditing.checks.context import CheckContext

FLOATS = npt.NDArray[np.float64]
BOOLS = npt.NDArray[np.bool_]


class CannotRunError(Exception):
    """Why a check has nothing to say about this source; the audit reports it as `not_run`, never as a pass."""


@dataclass(frozen=True)
class Measured:
    """A value that is no mean over negatives, with its 95 % interval over records (None: it has none)."""

    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Finding:
    """What a check found in the n negatives of a sample.

    `values` (n,) is the check's number for each negative, NaN where it does not apply; `flags` (n,) which ones it points at.
    The summary's value is the mean of `shares` over the negatives it applies to (left out: the share that is flagged), unless
    `measured` gives another. `reason` says in one sentence what was found and against what; `most` is the worst severity it
    can support, `least` what it says whatever the value (for a second measurement that has a bar of its own),
    `ceiling` what the value is cut to: an estimated share may come out above 1 by chance.
    """

    values: FLOATS
    flags: BOOLS
    reason: str
    shares: FLOATS | None = None
    measured: Measured | None = None
    most: Severity = "error"
    least: Severity = "ok"
    ceiling: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


class Check(Protocol):
    """A check; `needs` names what it cannot do without: "encoder", "collection"."""

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]

    def run(self, context: CheckContext) -> Finding:
        """Return what is found in the context's source; raises CannotRunError where it has nothing to say."""
