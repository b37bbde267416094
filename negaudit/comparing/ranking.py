"""Sources from the largest value down, those that cannot be told apart in one group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from negaudit.comparing.difference import Difference


def tied_groups(values: Mapping[str, float], differences: Sequence[Difference]) -> list[list[str]]:
    """Return groups of sources, the largest first. A source joins the group above while no difference to that group's first member
    was found; so no group spans a difference that was found with its first member.
    """
    found = {frozenset((d.first, d.second)) for d in differences if d.found}
    groups: list[list[str]] = []
    for name in sorted(values, key=lambda name: (-values[name], name)):
        if groups and frozenset((groups[-1][0], name)) not in found:
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def rank_ranges(names: Sequence[str], differences: Sequence[Difference]) -> dict[str, tuple[int, int]]:
    """Return for each source the best and the worst rank that the found differences leave it; 1 is the largest value."""
    above, below = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for d in differences:
        if d.found:
            larger, smaller = (d.first, d.second) if d.difference > 0 else (d.second, d.first)
            below[larger] += 1
            above[smaller] += 1
    return {name: (1 + above[name], len(names) - below[name]) for name in names}
