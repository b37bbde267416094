"""`stability`: the order of the sources in growing samples, and how many records it takes until it stops changing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.comparing.correlation import kendall
from negaudit.comparing.documents import document, note_few_records
from negaudit.comparing.record_sums import RecordSums, record_sums
from negaudit.comparing.scored import ScoredRun, ScoredSource, load_scored
from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.indexing import query_keys

SCHEMA = "negaudit.stability/1"
FRACTIONS = (25, 50, 75, 100)
# The profile, and the composite by its trace, which orders sources as its log-det does wherever eigenvalues are small.
STATISTICS = ("mean_psi", "mean_rho", "mean_eta", "inversion_rate", "eci.composite.trace")
STEPS = 40
SMALLEST = 10
NORMAL = 1.959963984540054
INT64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class StabilityConfig:
    """`repetitions` random orders of the queries, drawn from `seed`."""

    repetitions: int = 200
    seed: int = 42

    def __post_init__(self) -> None:
        if self.repetitions < 1:
            raise NegauditError(f"repetitions must be at least 1, got {self.repetitions}")


def stability(
    folder: Path, sources: Sequence[str] | None = None, *, statistics: Sequence[str] | None = None, config: StabilityConfig | None = None
) -> dict[str, Any]:
    """Return how the order of a scored folder's sources settles, as JSON-ready data (schema negaudit.stability/1; docs/comparing.md).

    `sources` and `statistics` are names; all sources that are not controls and STATISTICS if left out. Raises NegauditError for fewer than
    two sources and for a statistic that the folder does not have.
    """
    config = config or StabilityConfig()
    run = load_scored([folder], sources)
    if sources is None:
        run = ScoredRun({name: s for name, s in run.sources.items() if s.role != "control"}, run.summary)
    if len(run.sources) < 2:
        raise NegauditError(f"an order needs two sources or more, found {', '.join(run.sources) or 'none'}; name them with --source")
    sums = {name: record_sums(source) for name, source in run.sources.items()}
    known = next(iter(sums.values())).names
    for name in statistics or ():
        if name not in known:
            raise unknown_name("statistic", name, known)
    wanted = list(dict.fromkeys(statistics)) if statistics else [s for s in STATISTICS if s in known]
    curves = _curves(run.sources, sums, wanted, config)
    body = {s: _settling(run, sums, s, *curves[s]) for s in wanted}
    head = document(SCHEMA, {**asdict(config), "statistics": wanted, "sources": list(run.sources)}, run)
    return {**head, "statistics": body, "notes": [*note_few_records(run), *_notes(body, run)]}


def nested_order(source: ScoredSource, seed: int) -> INT64:
    """Return the records in the order in which `score --sample N` would take them in as N grows."""
    return np.argsort(query_keys(source.query_ids.to_pylist(), seed), kind="stable").astype(np.int64)


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson, 1927)."""
    share, square = successes / trials, NORMAL**2
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    half = NORMAL / (1 + square / trials) * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def _settling(run: ScoredRun, sums: Mapping[str, RecordSums], statistic: str, sizes: INT64, same: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return a statistic's part of the document; `same` (repetitions, sizes) says where a draw had the full order."""
    values = {name: s.means()[statistic] for name, s in sums.items()}
    full = _order(values)
    fractions = {str(share): _fraction(run, sums, statistic, share, values) for share in FRACTIONS}
    hits = same.sum(0)
    curve = [
        {"records": int(size), "same": int(hit) / len(same), "interval": list(wilson(int(hit), len(same)))}
        for size, hit in zip(sizes, hits, strict=True)
    ]
    wrong = ~same[:, ::-1]
    last_wrong = np.where(wrong.any(1), same.shape[1] - 1 - wrong.argmax(1), -1)
    needed = sizes[np.minimum(last_wrong + 1, len(sizes) - 1)]
    low, median, high = (int(q) for q in np.quantile(needed, (0.025, 0.5, 0.975), method="higher"))
    settled = {"median": median, "interval": [low, high], "settled": float((needed <= 0.9 * sizes[-1]).mean())}
    return {"order": full, "fractions": fractions, "curve": curve, "records_needed": settled}


def _fraction(run: ScoredRun, sums: Mapping[str, RecordSums], statistic: str, share: int, full: Mapping[str, float]) -> dict[str, Any]:
    seed = int(run.summary["config"]["seed"])
    values, records = {}, 0
    for name, source in run.sources.items():
        count = max(1, round(len(source.key) * share / 100))
        records = max(records, count)
        values[name] = sums[name].subset(nested_order(source, seed)[:count]).means()[statistic]
    order = _order(values)
    return {
        "records": records,
        "order": order,
        "kendall": kendall([values[n] for n in full], list(full.values())),
        "same": order == _order(full),
    }


def _curves(
    sources: Mapping[str, ScoredSource], sums: Mapping[str, RecordSums], statistics: Sequence[str], config: StabilityConfig
) -> dict[str, tuple[INT64, npt.NDArray[np.bool_]]]:
    """Return per statistic the sizes, and for each repetition and size whether the draw has the order of all records."""
    queries = np.unique(np.concatenate([source.key for source in sources.values()]))
    places = {name: np.searchsorted(queries, source.key) for name, source in sources.items()}
    most = max(len(source.key) for source in sources.values())
    sizes = np.unique(np.geomspace(min(SMALLEST, most), most, STEPS).round().astype(np.int64))
    columns = {name: s.columns_of(statistics) for name, s in sums.items()}
    same = {s: np.zeros((config.repetitions, len(sizes)), np.bool_) for s in statistics}
    for repetition in range(config.repetitions):
        rank = np.random.Generator(np.random.Philox(key=[config.seed % 2**64, repetition])).permutation(len(queries))
        means = np.stack([_growing(*columns[name], np.argsort(rank[places[name]], kind="stable"), sizes) for name in sources])
        for number, statistic in enumerate(statistics):
            order = np.argsort(-means[:, :, number], axis=0, kind="stable")
            same[statistic][repetition] = (order == order[:, -1:]).all(0)
    return {s: (sizes, found) for s, found in same.items()}


def _growing(numerators: FLOATS, denominators: FLOATS, order: INT64, sizes: INT64) -> FLOATS:
    """Return the means (sizes, statistics) over the first so many records of `order`, all of them where there are fewer."""
    ends = np.minimum(sizes, len(order))
    top, bottom = np.cumsum(numerators[order], axis=0), np.cumsum(denominators[order], axis=0)
    return np.asarray(top[ends - 1] / bottom[ends - 1])


def _order(values: Mapping[str, float]) -> list[str]:
    return sorted(values, key=lambda name: (-values[name], name))


def _notes(body: Mapping[str, Any], run: ScoredRun) -> list[str]:
    """Return which orders the sample does not settle, and what the curves are."""
    records = max(len(source.key) for source in run.sources.values())
    loose = [s for s, told in body.items() if told["records_needed"]["interval"][1] > records / 2]
    notes = [f"the order by {', '.join(loose)} still changes beyond half of the records: this sample does not settle it"] if loose else []
    return [
        *notes,
        "draws are parts of this sample and end in its order, so a curve says how soon that order is there, not that it is right",
    ]
