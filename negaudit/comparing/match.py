"""`match`: what an encoder says of sources at equal psi, in three ways: matched by bins, weighted, and by regression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from negaudit.comparing.adjusted import regression
from negaudit.comparing.binning import expected_means, imbalance, orderings, resampled, slope_within_bins
from negaudit.comparing.cells import cell_sums
from negaudit.comparing.comparison import Measured, measure
from negaudit.comparing.difference import paired_differences
from negaudit.comparing.documents import document, note_few_records
from negaudit.comparing.overlap import cells_for, effective_sizes, overlap_means
from negaudit.comparing.scored import ScoredRun, ScoredSource, load_scored
from negaudit.comparing.support import Support, between, common_support, equal_width, quantile_edges
from negaudit.errors import NegauditError
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import percentile_interval

SCHEMA = "negaudit.match/1"
STATISTICS = ("mean_rho", "mean_eta", "inversion_rate", "mean_psi")
PSI = STATISTICS.index("mean_psi")


@dataclass(frozen=True)
class MatchConfig:
    """`bins` are resolutions, each matched `repetitions` times; `replicates` of the bootstrap over records give the intervals."""

    bins: tuple[int, ...] = (10, 20, 50)
    repetitions: int = 100
    replicates: int = 1000
    seed: int = 42

    def __post_init__(self) -> None:
        if not self.bins or min(self.bins) < 1:
            raise NegauditError(f"bins must be whole numbers of at least 1, got {', '.join(map(str, self.bins)) or 'none'}")
        if self.repetitions < 1 or self.replicates < 0:
            raise NegauditError("repetitions must be at least 1 and replicates at least 0")


def match(folder: Path, sources: Sequence[str] | None = None, config: MatchConfig | None = None) -> dict[str, Any]:
    """Return the sources of a scored folder compared at equal psi, as JSON-ready data (schema negaudit.match/1; docs/comparing.md).

    `sources` are names; all that are not controls if left out. Raises NegauditError for fewer than two, for scores without an encoder, and
    where the sources' psi do not overlap.
    """
    config = config or MatchConfig()
    run = load_scored([folder], sources)
    if sources is None:
        run = ScoredRun({name: s for name, s in run.sources.items() if s.role != "control"}, run.summary)
    if len(run.sources) < 2:
        raise NegauditError(f"matching needs two sources or more, found {', '.join(run.sources) or 'none'}; name them with --source")
    if not run.encoded:
        raise NegauditError(f"{folder}: scored without an encoder, so there is nothing to compare at equal psi; score with --encoder")
    head = document(SCHEMA, asdict(config) | {"bins": list(config.bins)}, run)
    return head | matched(run.sources, config) | {"notes": note_few_records(run)}


def matched(sources: Mapping[str, ScoredSource], config: MatchConfig) -> dict[str, Any]:
    """Return the three views of `sources` at equal psi as JSON-ready data, without the head of the document."""
    values = {name: pair_values(source) for name, source in sources.items()}
    psi = {name: source.pairs.psi for name, source in sources.items()}
    support = common_support(psi)
    measured = {name: measure(source, config.replicates, config.seed) for name, source in sources.items()}
    counts = {name: {"scored": len(p), "in_support": int(support.holds(p).sum())} for name, p in psi.items()}
    outcomes = {name: v[:, :PSI] for name, v in values.items()}
    return {
        "sources": list(sources),
        "support": [support.low, support.high],
        "statistics": list(STATISTICS),
        "negatives": counts,
        "observed": _observed(measured),
        "binned": {str(bins): binned(sources, values, support, bins, config) for bins in config.bins},
        "weighted": weighted(sources, values, support, config),
        "regression": regression(sources, outcomes, list(STATISTICS[:PSI]), support, config.replicates, config.seed),
    }


def pair_values(source: ScoredSource) -> FLOATS:
    """Return (pairs, STATISTICS): what each pair adds to the means."""
    pairs = source.pairs
    return np.column_stack([pairs.rho, pairs.eta, pairs.inverted.astype(np.float64), pairs.psi])


def binned(
    sources: Mapping[str, ScoredSource], values: Mapping[str, FLOATS], support: Support, bins: int, config: MatchConfig
) -> dict[str, Any]:
    """Return what matching in `bins` equal-width bins gives: repetitions, orderings, intervals over records, and what imbalance is left."""
    cells = {name: equal_width(source.pairs.psi, support, bins) for name, source in sources.items()}
    drawn = resampled(cells, values, bins, config.repetitions, config.seed)
    sums = {
        name: cell_sums(source, cells[name], _counted(values[name]), bins, config.replicates, config.seed)
        for name, source in sources.items()
    }
    if not drawn.retained:
        raise NegauditError(f"{bins} bins: no bin of psi holds negatives of every source; use fewer bins or other sources")
    means, spread = expected_means({n: s.observed for n, s in sums.items()}), expected_means({n: s.drawn for n, s in sums.items()})
    psi_gap, bin_gap = imbalance(sums, PSI)
    slope = slope_within_bins(cells, values, bins, PSI)
    told = _estimates(means, spread)
    return {
        "retained": drawn.retained,
        "bins_used": drawn.bins_used,
        "share": {name: drawn.retained / len(cell) for name, cell in cells.items()},
        "sources": {name: _repeated(drawn.means[name], told["means"][name]) for name in sources},
        "orderings": {statistic: orderings(drawn.means, column) for column, statistic in enumerate(STATISTICS)},
        "differences": told["differences"],
        "imbalance": {"psi_gap": psi_gap, "largest_bin_gap": bin_gap, "explained": _explained(means, slope)},
    }


def weighted(sources: Mapping[str, ScoredSource], values: Mapping[str, FLOATS], support: Support, config: MatchConfig) -> dict[str, Any]:
    """Return the means under weights that equalise psi over the common support, with effective sample sizes."""
    psi = {name: source.pairs.psi for name, source in sources.items()}
    edges = quantile_edges(psi, support, cells_for(min(int(support.holds(p).sum()) for p in psi.values())))
    count = max(1, len(edges) - 1)
    cells = {name: between(p, support, edges) for name, p in psi.items()}
    sums = {
        name: cell_sums(source, cells[name], _counted(values[name]), count, config.replicates, config.seed)
        for name, source in sources.items()
    }
    sizes = effective_sizes(cells, count)
    told = _estimates(overlap_means({n: s.observed for n, s in sums.items()}), overlap_means({n: s.drawn for n, s in sums.items()}))
    body = {name: {"effective_sample_size": size, "share_of_support": share} for name, (size, share) in sizes.items()}
    return {"cells": count, "sources": body, **told}


def _counted(values: FLOATS) -> FLOATS:
    return np.column_stack([np.ones(len(values)), values])


def _observed(measured: Mapping[str, Measured]) -> dict[str, Any]:
    means = {name: np.array([m.values[s] for s in STATISTICS]) for name, m in measured.items()}
    none = np.empty((0, len(STATISTICS)))
    spread = {n: np.column_stack([m.replicates[s] for s in STATISTICS]) if m.replicates else none for n, m in measured.items()}
    told = _estimates(means, spread)
    return {"sources": told["means"], "differences": told["differences"]}


def _estimates(means: Mapping[str, FLOATS], spread: Mapping[str, FLOATS]) -> dict[str, Any]:
    """Return means (STATISTICS,) and their replicates (replicates, STATISTICS) as values, intervals and differences."""
    body: dict[str, Any] = {"means": {name: {} for name in means}, "differences": {}}
    for column, statistic in enumerate(STATISTICS):
        drawn = {name: s[:, column] for name, s in spread.items() if len(s)}
        for name, mean in means.items():
            interval = percentile_interval(drawn[name]) if drawn else None
            body["means"][name][statistic] = {"value": float(mean[column]), "interval": list(interval) if interval else None}
        values = {name: float(mean[column]) for name, mean in means.items()}
        body["differences"][statistic] = [d.as_dict() for d in paired_differences(values, drawn)]
    return body


def _repeated(means: FLOATS, told: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return each statistic's mean and 95 % range over repetitions, with the interval over records beside it."""
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return {
        s: {"mean": float(means[:, i].mean()), "low": float(low[i]), "high": float(high[i]), "interval": told[s]["interval"]}
        for i, s in enumerate(STATISTICS)
    }


def _explained(means: Mapping[str, FLOATS], slope: FLOATS) -> dict[str, list[dict[str, Any]]]:
    """Return per statistic and two sources the difference that the psi left in the bins makes, by the slope within bins."""
    names = list(means)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return {
        s: [{"first": a, "second": b, "difference": float(slope[i] * (means[a][PSI] - means[b][PSI]))} for a, b in pairs]
        for i, s in enumerate(STATISTICS[:PSI])
    }
