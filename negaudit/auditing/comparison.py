"""Warnings because a source is worse than every genuine one: one test per check, corrected over the checks by Holm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from negaudit.auditing.record_sums import Difference, RecordSums, difference
from negaudit.auditing.run_checks import Outcome
from negaudit.auditing.severity import rank

Sums = Mapping[str, RecordSums]


@dataclass(frozen=True, slots=True)
class Compared:
    """A check's value against the genuine source it comes nearest to: that one's name, the difference, and the p-value after Holm."""

    against: str
    difference: Difference
    adjusted: float

    def stands_out(self, settings: Mapping[str, float]) -> bool:
        """Return whether the difference is more than chance at the familywise level, and large enough to matter."""
        return self.adjusted < settings["level"] and self.difference.value >= settings["least"]


def compared(source: Sums, genuine: Mapping[str, Sums]) -> dict[str, Compared]:
    """Return for each check that `source` shares with a genuine source how it compares with the worst of them.

    A source stands out only where it is above all of them, so the p-value is the largest of theirs. Empty without a genuine source.
    """
    nearest: dict[str, tuple[str, Difference]] = {}
    for check, sums in source.items():
        found = [(name, difference(sums, others[check])) for name, others in genuine.items() if check in others]
        if found:
            nearest[check] = max(found, key=lambda item: (item[1].p, item[0]))
    adjusted = dict(zip(nearest, holm([item[1].p for item in nearest.values()]), strict=True))
    return {check: Compared(name, found, adjusted[check]) for check, (name, found) in nearest.items()}


def holm(p: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values: below the level, they keep the chance of any false alarm in the family below it."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    result, highest = [0.0] * len(p), 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - place) * p[i]))
        result[i] = highest
    return result


def sums_of(outcomes: Mapping[str, Outcome]) -> dict[str, RecordSums]:
    """Return the sums of the checks that have some."""
    return {name: outcome.sums for name, outcome in outcomes.items() if outcome.sums is not None}


def with_comparisons(
    summaries: Mapping[str, Mapping[str, dict[str, Any]]], sums: Mapping[str, Sums], genuine: Sequence[str], settings: Mapping[str, float]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the summaries by source and check, with `comparison` where there was one; a source that stands out gets a `warn` at least.

    A genuine source is not compared: what is known to be good is the measure.
    """
    result = {name: {check: dict(summary) for check, summary in checks.items()} for name, checks in summaries.items()}
    known = {name: sums[name] for name in genuine}
    for name in (name for name in result if name not in known):
        for check, found in compared(sums[name], known).items():
            _note(result[name][check], found, settings)
    return result


def _note(summary: dict[str, Any], found: Compared, settings: Mapping[str, float]) -> None:
    warns = found.stands_out(settings)
    summary["comparison"] = {
        "against": found.against,
        "difference": found.difference.value,
        "standard_error": found.difference.error,
        "p": found.difference.p,
        "p_adjusted": found.adjusted,
        "warns": warns,
    }
    if warns:
        more = f"{100 * found.difference.value:.1f} percentage points more than in the genuine source {found.against}"
        summary["reason"] += f"; {more}, which chance does not explain"
        summary["severity"] = max(summary["severity"], "warn", key=rank)
