"""Holm's correction for several tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values adjusted so that rejecting those below a level keeps the chance of any false rejection at that level.

    Step-down: the k-th smallest of m is multiplied by m - k + 1, and never falls below one that came before (Holm, 1979).
    None, a test that could not be made, stays None and does not count.
    """
    made = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for position, (p, i) in enumerate(made):
        highest = max(highest, min(1.0, p * (len(made) - position)))
        adjusted[i] = highest
    return adjusted
