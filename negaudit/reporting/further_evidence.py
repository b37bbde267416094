"""What `match` and `stability` add to how sure a choice is, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.reporting.further_charts import resolution
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import PROFILE, counted, interval_words, joined, number

SHORT = {statistic.key: statistic.short for statistic in PROFILE if statistic.key != "mean_psi"}


def at_equal_psi(run: SavedRun, first: str, second: str) -> list[str]:
    """Return in which statistics two sources differ once their psi is made equal; empty where that was not looked at."""
    bins, part = resolution(run.others.get("match", {}))
    found = {s: pair for s in SHORT if (pair := _pair(part.get("differences", {}).get(s, ()), first, second))}
    if not found:
        return []
    opening = f"At equal psi (matched in {bins} bins)"
    apart = [_apart(SHORT[s], pair, first) for s, pair in found.items() if pair["found"]]
    alike = [SHORT[s] for s, pair in found.items() if not pair["found"]]
    if not apart:
        return [f"{opening} no difference between {first} and {second} was found in {joined(alike, 'or')}."]
    rest = f"; none was found in {joined(alike, 'or')}" if alike else ""
    return [f"{opening} {first} still differs from {second}: {joined(apart)}{rest}. So more than psi sets them apart."]


def settled(run: SavedRun) -> list[str]:
    """Return from how many records on the order by psi is that of the whole sample; empty where that was not looked at."""
    told = run.others.get("stability", {}).get("statistics", {}).get("mean_psi", {})
    needed, whole = told.get("records_needed"), told.get("fractions", {}).get("100", {}).get("records")
    if not needed or not whole:
        return []
    low, high = needed["interval"]
    said = f"The order by psi is that of the whole sample from {needed['median']:,} of {counted(whole, 'record')} on"
    late = "; it still changes beyond half of the records, so this sample does not settle it" if high > whole / 2 else ""
    return [f"{said} (in 95 % of random draws from {low:,} to {high:,} on){late}."]


def _pair(differences: Any, first: str, second: str) -> Mapping[str, Any] | None:
    return next((d for d in differences if {d["first"], d["second"]} == {first, second}), None)


def _apart(statistic: str, pair: Mapping[str, Any], first: str) -> str:
    """Return by how much `first` is above or below the other one."""
    value, interval = pair["difference"], pair["interval"]
    if pair["first"] != first:
        value, interval = -value, [-interval[1], -interval[0]] if interval else None
    held = interval_words(sorted(map(abs, interval)) if interval and interval[0] * interval[1] > 0 else None)
    return f"{statistic} is {number(abs(value))} {'higher' if value > 0 else 'lower'}" + (f" ({held})" if held else "")
