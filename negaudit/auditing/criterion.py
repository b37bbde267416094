"""The stringent criterion: under a weighting, does every control rank below every genuine source?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from negaudit.scoring.weightings import WEIGHTINGS


@dataclass(frozen=True)
class Criterion:
    """Whether it holds for a weighting, the controls that break it, those above the best genuine source, and all from the highest down."""

    holds: bool
    violators: tuple[str, ...]
    above_best: tuple[str, ...]
    ranking: tuple[tuple[str, float], ...]


def stringent(scores: Mapping[str, float], genuine: frozenset[str], controls: frozenset[str]) -> Criterion | None:
    """Return the verdict for one weighting's scores by source (the paper, section 6.1); None without a genuine source or a control.

    A control at the level of the lowest genuine source breaks it too: it does not rank below.
    """
    if not genuine or not controls:
        return None
    known_good = [scores[name] for name in genuine]
    ranking = tuple(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
    violators = tuple(sorted(name for name in controls if scores[name] >= min(known_good)))
    return Criterion(not violators, violators, tuple(name for name in violators if scores[name] > max(known_good)), ranking)


def source_scores(summary: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return the scores by variant and source of a scored run: mean psi, and with an encoder the log-determinant of every weighting and
    the trace of the composite (`trace`), as in the paper's table 4.
    """
    sources = summary["sources"]
    found = {"mean_psi": {name: float(source["mean_psi"]) for name, source in sources.items()}}
    if summary["encoder"] is None:
        return found
    for weighting in WEIGHTINGS:
        found[weighting] = {name: float(source["eci"][weighting]["logdet"]) for name, source in sources.items()}
    return found | {"trace": {name: float(source["eci"]["composite"]["trace"]) for name, source in sources.items()}}


def criteria(summary: Mapping[str, Any], genuine: frozenset[str], controls: frozenset[str]) -> dict[str, dict[str, Any]]:
    """Return the stringent criterion by variant as JSON-ready data; empty without a genuine source or a control."""
    found = {}
    for variant, scores in source_scores(summary).items():
        result = stringent(scores, genuine, controls)
        if result:
            found[variant] = {
                "holds": result.holds,
                "violators": list(result.violators),
                "above_best_genuine": list(result.above_best),
                "ranking": [name for name, _ in result.ranking],
                "scores": dict(result.ranking),
            }
    return found
