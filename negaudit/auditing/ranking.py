"""The sources from the largest mean psi down, with those that cannot be told apart in one group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Differences = Mapping[str, Mapping[str, Sequence[float]]]


def tied_ranking(values: Mapping[str, float], differences: Differences) -> list[list[str]]:
    """Return groups of sources, best first. A source joins the group above while the paired interval of its difference to that
    group's first member holds 0, or is not known; so no group spans a difference that was found.
    """
    groups: list[list[str]] = []
    for name in sorted(values, key=lambda name: (-values[name], name)):
        if groups and _tie(groups[-1][0], name, differences):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _tie(first: str, second: str, differences: Differences) -> bool:
    interval = differences.get(first, {}).get(second) or differences.get(second, {}).get(first)
    return interval is None or interval[0] <= 0 <= interval[1]


def ranking(summary: Mapping[str, Any], names: Sequence[str]) -> list[list[str]]:
    """Return the tied ranking by mean psi of the scored sources `names`."""
    values = {name: summary["sources"][name]["mean_psi"] for name in names}
    return tied_ranking(values, summary.get("differences", {}).get("mean_psi", {}))


def ranked_values(summary: Mapping[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each of `names`, best first, its place (shared by sources that are tied), mean psi and 95 % interval (None: not known)."""
    places, place = [], 1
    for group in ranking(summary, names):
        for name in group:
            source = summary["sources"][name]
            places.append({"source": name, "place": place, "mean_psi": source["mean_psi"], "interval": source["intervals"].get("mean_psi")})
        place += len(group)
    return places
