"""Pearson and Kendall of a few values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Pearson's correlation in [-1, 1]; None for fewer than two values or where one side does not vary."""
    if len(x) < 2:
        return None
    dx, dy = _centred(x), _centred(y)
    scale = math.sqrt(math.fsum(a * a for a in dx)) * math.sqrt(math.fsum(b * b for b in dy))
    return max(-1.0, min(1.0, math.fsum(a * b for a, b in zip(dx, dy, strict=True)) / scale)) if scale else None


def kendall(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Kendall's tau-b in [-1, 1], ties corrected for; None where one side does not vary."""
    signs = [(_sign(a - c), _sign(b - d)) for (a, b), (c, d) in itertools.combinations(zip(x, y, strict=True), 2)]
    untied_x, untied_y = sum(s != 0 for s, _ in signs), sum(t != 0 for _, t in signs)
    return sum(s * t for s, t in signs) / math.sqrt(untied_x * untied_y) if untied_x and untied_y else None


def _centred(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values] if max(values) > min(values) else [0.0] * len(values)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
