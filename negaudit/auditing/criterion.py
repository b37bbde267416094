"""The stringent criterion: under a weighting, does every control rank below every genuine source?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Criterion:
    """Whether it holds for a weighting, the controls that break it, and all sources from the highest score down."""

    holds: bool
    violators: tuple[str, ...]
    ranking: tuple[tuple[str, float], ...]


def stringent(scores: Mapping[str, float], genuine: frozenset[str], controls: frozenset[str]) -> Criterion | None:
    """Return the verdict for one weighting's scores by source (the paper, section 6.1); None without a genuine source or a control.

    A control at the level of the lowest genuine source breaks it too: it does not rank below.
    """
    if not genuine or not controls:
        return None
    lowest = min(scores[name] for name in genuine)
    ranking = tuple(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
    violators = tuple(sorted(name for name in controls if scores[name] >= lowest))
    return Criterion(not violators, violators, ranking)
