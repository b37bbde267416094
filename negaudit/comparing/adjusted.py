"""Differences of an encoder's statistics at equal psi, by regression, with bootstrap intervals and record-clustered errors."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from negaudit.comparing.cells import CellSums, cell_sums
from negaudit.comparing.difference import paired_differences
from negaudit.comparing.regression import KNOTS, Curve, clustered_errors, curve_at, level_means, moment_values, solved
from negaudit.comparing.scored import ScoredSource
from negaudit.comparing.support import Support, quantile_edges
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import percentile_interval

NORMAL = 1.959963984540054
ATOMS = (0.0, 1.0)


def regression(
    sources: Mapping[str, ScoredSource], outcomes: Mapping[str, FLOATS], names: list[str], support: Support, replicates: int, seed: int
) -> dict[str, Any]:
    """Return the part of match.json that is adjusted for psi by regression; `outcomes` are (pairs, names) of each source."""
    psi = {name: source.pairs.psi for name, source in sources.items()}
    curve = Curve(quantile_edges(psi, support, KNOTS), tuple(a for a in ATOMS if support.low <= a <= support.high))
    cells = {name: curve.cells(p, support) for name, p in psi.items()}
    positions = {name: curve.positions(p, cells[name]) for name, p in psi.items()}
    sums: dict[str, CellSums] = {}
    for name, source in sources.items():
        moments = moment_values(outcomes[name], positions[name])
        sums[name] = cell_sums(source, cells[name], moments, curve.intervals, replicates, seed)
    observed, drawn = {n: s.observed for n, s in sums.items()}, {n: s.drawn for n, s in sums.items()}
    coefficients, inverse = solved(observed, curve)
    means, spread = level_means(coefficients, observed, curve), level_means(solved(drawn, curve)[0], drawn, curve)
    inside = {name: cells[name] >= 0 for name in sources}
    located = [(cells[name][inside[name]], positions[name][inside[name]]) for name in sources]
    left = [
        outcomes[name][inside[name]] - coefficients[number] - curve_at(coefficients[len(sources) :], *located[number], curve)
        for number, name in enumerate(sources)
    ]
    queries = np.unique(np.concatenate([source.key for source in sources.values()]))
    clusters = [np.searchsorted(queries, source.key)[source.pairs.record[inside[name]]] for name, source in sources.items()]
    errors = {}
    for first, second in itertools.combinations(range(len(sources)), 2):
        contrast = np.zeros(inverse.shape[-1])
        contrast[first], contrast[second] = 1.0, -1.0
        errors[first, second] = clustered_errors(contrast, inverse, left, located, clusters, curve)
    return {"knots": len(curve.edges), **_told(list(sources), names, means, spread, errors)}


def _told(sources: list[str], names: list[str], means: FLOATS, spread: FLOATS, errors: Mapping[tuple[int, int], FLOATS]) -> dict[str, Any]:
    body: dict[str, Any] = {"means": {name: {} for name in sources}, "differences": {}}
    for column, statistic in enumerate(names):
        values = {name: float(means[number, column]) for number, name in enumerate(sources)}
        drawn = {name: spread[:, number, column] for number, name in enumerate(sources)} if len(spread) else {}
        for name in sources:
            interval = percentile_interval(drawn[name]) if drawn else None
            body["means"][name][statistic] = {"value": values[name], "interval": list(interval) if interval else None}
        pairs = zip(paired_differences(values, drawn), errors.values(), strict=True)
        body["differences"][statistic] = [_with_error(d.as_dict(), float(error[column])) for d, error in pairs]
    return body


def _with_error(difference: dict[str, Any], error: float) -> dict[str, Any]:
    interval = [difference["difference"] - NORMAL * error, difference["difference"] + NORMAL * error]
    return difference | {"clustered_error": error, "clustered_interval": interval}
