"""`slices`: the sources compared within parts of their pairs, and where a part reverses the overall order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.comparing.difference import Difference, paired_differences
from negaudit.comparing.documents import document, note_few_records
from negaudit.comparing.groups import Grouping, built_in, needs_texts, read_texts
from negaudit.comparing.ranking import tied_groups
from negaudit.comparing.scored import ScoredSource, load_scored
from negaudit.comparing.table_column import by_column
from negaudit.errors import NegauditError
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.intervals import percentile_interval, replicate_sums
from negaudit.scoring.statistics import STATISTICS as ALL_STATISTICS
from negaudit.text.tokenizers import get_tokenizer

SCHEMA = "negaudit.slices/1"
STATISTICS = ("mean_psi", "mean_rho", "mean_eta", "inversion_rate")
# A source with fewer records than this in a slice is shown without an interval and takes no part in its order.
FEWEST_RECORDS = 30


@dataclass(frozen=True)
class Part:
    """One source's pairs in a slice: how many, of how many records, and each statistic's mean and replicates."""

    negatives: int
    records: int
    values: dict[str, float]
    replicates: dict[str, FLOATS]


def slices(
    folder: Path,
    by: Sequence[str],
    *,
    files: Mapping[str, Path] | None = None,
    table: Path | None = None,
    columns: Sequence[str] = (),
    replicates: int = 1000,
    seed: int = 42,
) -> dict[str, Any]:
    """Return a scored folder's sources compared slice by slice, as JSON-ready data (schema negaudit.slices/1; docs/comparing.md).

    `by` are names of BUILT_IN groupings; those on queries and ranks need `files`, the files that were scored, by source, and divide these
    sources alone. `columns` of `table` are further groupings. Raises NegauditError for what cannot be read or joined.
    """
    run = load_scored([folder])
    groupings = _groupings(run.sources, by, files or {}, table, columns, run.summary["lexical"]["tokenizer"])
    overall = _compared({name: _part(source, None, replicates, seed) for name, source in run.sources.items()})[1]
    body: dict[str, list[dict[str, Any]]] = {}
    reversals = []
    for name, grouping in groupings.items():
        body[name] = []
        for number, label in enumerate(grouping.labels):
            parts = _parts(run.sources, grouping, number, replicates, seed)
            if parts:
                told, here = _compared(parts)
                body[name].append({"value": label, **_counts(parts), "statistics": told})
                reversals += [{"by": name, "value": label, **reversal} for reversal in _reversed(overall, here)]
    config = {"by": list(groupings), "replicates": replicates, "seed": seed}
    notes = [*note_few_records(run), _warning(reversals)]
    return {**document(SCHEMA, config, run), "slices": body, "reversals": reversals, "notes": notes}


def _groupings(
    sources: Mapping[str, ScoredSource],
    by: Sequence[str],
    files: Mapping[str, Path],
    table: Path | None,
    columns: Sequence[str],
    tokenizer: str,
) -> dict[str, Grouping]:
    if not by and not columns:
        raise NegauditError("there is nothing to slice by; give --by or --table FILE --column NAME")
    if columns and table is None:
        raise NegauditError(f"--column {columns[0]} needs --table FILE, where it is")
    lacking = [name for name in by if needs_texts(name)] if not files else []
    if lacking:
        raise NegauditError(f"slices by {', '.join(lacking)} need the scored files; give --source NAME=FILE")
    strangers = [name for name in files if name not in sources]
    if strangers:
        raise NegauditError(f"source '{strangers[0]}' was not scored there (there is: {', '.join(sources)})")
    texts = {name: read_texts(sources[name], path) for name, path in files.items()} if any(needs_texts(name) for name in by) else {}
    made = {name: built_in(name, sources, texts, get_tokenizer(tokenizer)) for name in dict.fromkeys(by)}
    return made | {column: by_column(sources, table, column) for column in dict.fromkeys(columns) if table is not None}


def _parts(sources: Mapping[str, ScoredSource], grouping: Grouping, number: int, replicates: int, seed: int) -> dict[str, Part]:
    """Return each source's part of one slice, of the sources that have pairs in it."""
    chosen = {name: codes == number for name, codes in grouping.codes.items()}
    return {name: _part(sources[name], inside, replicates, seed) for name, inside in chosen.items() if inside.any()}


def _part(source: ScoredSource, inside: npt.NDArray[np.bool_] | None, replicates: int, seed: int) -> Part:
    wanted = [s for s in ALL_STATISTICS if s.name in STATISTICS and (source.encoded or not s.encoded)]
    weight = np.ones(len(source.pairs.record)) if inside is None else inside.astype(np.float64)
    columns = [weight, *(s.values(source.pairs) * weight for s in wanted)]
    sums = np.column_stack([np.bincount(source.pairs.record, weights=c, minlength=len(source.key)) for c in columns]).astype(np.float64)
    there = sums[:, 0] > 0
    total = sums.sum(0)
    values = {s.name: float(total[1 + i] / total[0]) for i, s in enumerate(wanted)}
    if replicates and int(there.sum()) >= FEWEST_RECORDS:
        drawn = replicate_sums(source.key[there], sums[there], replicates, seed)
        return Part(int(total[0]), int(there.sum()), values, {s.name: drawn[:, 1 + i] / drawn[:, 0] for i, s in enumerate(wanted)})
    return Part(int(total[0]), int(there.sum()), values, {})


def _compared(parts: Mapping[str, Part]) -> tuple[dict[str, Any], dict[str, list[Difference]]]:
    """Return what a slice says by statistic, and its differences between the sources that have enough records in it."""
    told, differences = {}, {}
    for statistic in next(iter(parts.values())).values:
        intervals = {name: percentile_interval(p.replicates[statistic]) if p.replicates else None for name, p in parts.items()}
        enough = {name: p.values[statistic] for name, p in parts.items() if p.replicates}
        differences[statistic] = paired_differences(enough, {name: parts[name].replicates[statistic] for name in enough})
        sources = {n: {"value": p.values[statistic], "interval": _listed(intervals[n])} for n, p in parts.items()}
        groups = tied_groups(enough, differences[statistic])
        told[statistic] = {"sources": sources, "groups": groups, "differences": [d.as_dict() for d in differences[statistic]]}
    return told, differences


def _reversed(overall: Mapping[str, Sequence[Difference]], here: Mapping[str, Sequence[Difference]]) -> list[dict[str, Any]]:
    """Return the pairs of sources whose difference was found overall, and found the other way round in the slice."""
    found = []
    for statistic, differences in here.items():
        known = {(d.first, d.second): d for d in overall[statistic] if d.found}
        for d in differences:
            whole = known.get((d.first, d.second))
            if whole is not None and d.found and d.difference * whole.difference < 0:
                pair = {"first": d.first, "second": d.second}
                found.append({"statistic": statistic, **pair, "overall": whole.as_dict(), "here": d.as_dict()})
    return found


def _counts(parts: Mapping[str, Part]) -> dict[str, dict[str, int]]:
    return {"negatives": {name: p.negatives for name, p in parts.items()}, "records": {name: p.records for name, p in parts.items()}}


def _warning(reversals: Sequence[Mapping[str, Any]]) -> str:
    if not reversals:
        return "no slice reverses a difference that was found overall"
    where = sorted({f"{r['by']} {r['value']}" for r in reversals})
    return f"WARNING: the overall order is reversed in {', '.join(where)}; the overall means hide that"


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return list(interval) if interval else None
