"""`compare`: all scored sources side by side, every statistic with its interval, ranks with ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negaudit.comparing.difference import LEVEL, Difference, paired_differences
from negaudit.comparing.documents import document, note_few_records
from negaudit.comparing.logdet import with_logdets
from negaudit.comparing.ranking import rank_ranges, tied_groups
from negaudit.comparing.record_sums import record_sums
from negaudit.comparing.scored import ScoredRun, ScoredSource, load_scored
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import percentile_interval
from negaudit.scoring.weightings import WEIGHTINGS

SCHEMA = "negaudit.compare/1"
# These grow with the number of negatives per record, so only sources of equal K are ranked by them.
GROW_WITH_K = frozenset({"ambiguity", "mnrl_proxy"})


@dataclass(frozen=True)
class Measured:
    """One source's statistics: `values` as scored, `replicates` under the bootstrap ({} for none)."""

    values: dict[str, float]
    replicates: dict[str, FLOATS]


def compare(folders: Path | Sequence[Path], *, replicates: int = 1000, seed: int = 42) -> dict[str, Any]:
    """Return the comparison of every source in scored `folders` as JSON-ready data (schema negaudit.compare/1; docs/comparing.md).

    `replicates` of the bootstrap over records are drawn (0: no intervals, nothing is found different). Raises NegauditError for folders
    that hold no finished run or runs that cannot be compared.
    """
    run = load_scored([folders] if isinstance(folders, Path) else folders)
    measured = {name: measure(source, replicates, seed) for name, source in run.sources.items()}
    statistics = list(dict.fromkeys(s for m in measured.values() for s in m.values))
    settings = {s: _settings(run, s) for s in statistics}
    differences = {s: [paired_differences(*_columns(measured, s, names)) for names in settings[s].values()] for s in statistics}
    config = {"replicates": replicates, "seed": seed, "level": 1 - LEVEL, "correction": "holm"}
    return document(SCHEMA, config, run) | {
        "statistics": statistics,
        "sources": {name: _source_body(run.sources[name], m) for name, m in measured.items()},
        "differences": {s: [d.as_dict() for found in parts for d in found] for s, parts in differences.items()},
        "rankings": {
            s: [_ranking(setting, names, measured, s, found) for (setting, names), found in zip(settings[s].items(), parts, strict=True)]
            for s, parts in differences.items()
        },
        "notes": _notes(run, measured, replicates),
    }


def measure(source: ScoredSource, replicates: int, seed: int) -> Measured:
    """Return every statistic of a source with its replicates; log-det too, to first order."""
    sums = record_sums(source)
    eci = source.body.get("eci", {})
    logdets = {f"eci.{weighting}.logdet": eci[weighting]["logdet"] for weighting in WEIGHTINGS if weighting in eci}
    return Measured(sums.means() | logdets, with_logdets(sums.replicates(source, replicates, seed), eci, sums))


def _settings(run: ScoredRun, statistic: str) -> dict[str, list[str]]:
    """Return the sources that may be ranked together by the statistic, by the name of what they share."""
    if statistic not in GROW_WITH_K:
        return {"all": list(run.sources)}
    groups: dict[str, list[str]] = {}
    for name, source in sorted(run.sources.items(), key=lambda item: item[1].negatives_per_record):
        groups.setdefault(f"K={source.negatives_per_record}", []).append(name)
    return groups


def _columns(measured: Mapping[str, Measured], statistic: str, names: Sequence[str]) -> tuple[dict[str, float], dict[str, FLOATS]]:
    values = {name: measured[name].values[statistic] for name in names}
    known = all(statistic in measured[name].replicates for name in names)
    return values, {name: measured[name].replicates[statistic] for name in names} if known else {}


def _source_body(source: ScoredSource, measured: Measured) -> dict[str, Any]:
    intervals = {s: percentile_interval(drawn) for s, drawn in measured.replicates.items()}
    statistics = {s: {"value": value, "interval": _listed(intervals.get(s))} for s, value in measured.values.items()}
    counts = {"records": len(source.key), "negatives": len(source.pairs.record), "k": source.negatives_per_record}
    return {"role": source.role, **counts, "statistics": statistics}


def _ranking(
    setting: str, names: Sequence[str], measured: Mapping[str, Measured], statistic: str, differences: Sequence[Difference]
) -> dict[str, Any]:
    values = {name: measured[name].values[statistic] for name in names}
    ranks = {name: list(ranks) for name, ranks in rank_ranges(names, differences).items()}
    return {"setting": setting, "groups": tied_groups(values, differences), "ranks": ranks}


def _notes(run: ScoredRun, measured: Mapping[str, Measured], replicates: int) -> list[str]:
    notes = [*note_few_records(run)]
    if not replicates:
        notes.append("without replicates there are no intervals, and every difference counts as a tie")
    if len({source.negatives_per_record for source in run.sources.values()}) > 1:
        notes.append("ambiguity and MNRL proxy grow with the number of negatives per record (K): they rank sources of equal K only")
    if run.encoded and replicates:
        notes.append("intervals of log-det follow the trace's, to first order")
        loose = sorted({s.split(".")[1] for m in measured.values() for s in m.values if s not in m.replicates})
        if loose:
            notes.append(f"log-det of {', '.join(loose)} has no interval where weights vary too little for that; it counts as tied")
    if any(source.role == "control" for source in run.sources.values()):
        notes.append("controls are ranked too: constructed bad sources score well on psi and on the composite, so a high rank is no praise")
    return notes


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return list(interval) if interval else None
