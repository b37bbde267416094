"""Measured transfer and given statistics, read from tables, and the blocks that transfer makes."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from negaudit.errors import NegauditError

MEASURE = "ndcg@10"
EVERY = "*"  # in place of a backbone or a setting: all of them
ONE_SETTING = "all"


@dataclass(frozen=True)
class Block:
    """One backbone and setting: `transfer` is each source's mean over the `datasets` that all of them have."""

    backbone: str
    setting: str
    transfer: dict[str, float]
    datasets: int

    @property
    def order(self) -> list[str]:
        """The sources from the best transfer down."""
        return sorted(self.transfer, key=lambda name: (-self.transfer[name], name))


class Values:
    """The values of statistics by backbone, setting and source, where `*` stands for every backbone or setting."""

    def __init__(self) -> None:
        self._values: dict[str, dict[tuple[str, str, str], float]] = {}

    def add(self, statistic: str, backbone: str, setting: str, source: str, value: float) -> None:
        """Add a value; raises NegauditError where another one is there already."""
        known = self._values.setdefault(statistic, {})
        if known.setdefault((backbone, setting, source), value) != value:
            raise NegauditError(
                f"{statistic} of '{source}' ({backbone}, {setting}) is given twice, as {known[backbone, setting, source]} and {value}"
            )

    def statistics(self) -> list[str]:
        """Return the names, in the order in which they came."""
        return list(self._values)

    def of(self, statistic: str, block: Block) -> dict[str, float]:
        """Return the values of the block's sources, of those that have one."""
        known, found = self._values[statistic], {}
        for source in block.transfer:
            places = [(b, s, source) for b in (block.backbone, EVERY) for s in (block.setting, EVERY)]
            value = next((known[place] for place in places if place in known), None)
            if value is not None:
                found[source] = value
        return found


def read_transfer(path: Path, settings: Mapping[tuple[str, str], str] | None = None) -> tuple[list[Block], list[str]]:
    """Return the blocks of a table backbone, setting, source, dataset, ndcg@10, in its order, and notes on what was left out.

    Without a column `setting`, `settings` says it by (backbone, source), else all sources of a backbone are one block. A mean is over the
    datasets that all sources of the block have. Raises NegauditError for a table that is not one.
    """
    scores: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for where, row in _rows(path, ("backbone", "source", "dataset", MEASURE)):
        setting = row.get("setting") or (settings or {}).get((row["backbone"], row["source"]), ONE_SETTING)
        of_source = scores.setdefault((row["backbone"], setting), {}).setdefault(row["source"], {})
        if row["dataset"] in of_source:
            raise NegauditError(f"{where}: {row['source']} on {row['dataset']} ({row['backbone']}, {setting}) is there twice")
        of_source[row["dataset"]] = _number(row[MEASURE], where, MEASURE)
    blocks, notes = [], []
    for (backbone, setting), by_source in scores.items():
        shared = set.intersection(*(set(datasets) for datasets in by_source.values()))
        everything = {dataset for datasets in by_source.values() for dataset in datasets}
        if len(by_source) < 2 or not shared:
            notes.append(f"{backbone}, {setting}: no block, since fewer than two sources share a dataset")
            continue
        if everything != shared:
            notes.append(f"{backbone}, {setting}: means leave out {', '.join(sorted(everything - shared))}, which not every source has")
        means = {source: math.fsum(datasets[d] for d in shared) / len(shared) for source, datasets in by_source.items()}
        blocks.append(Block(backbone, setting, {source: round(mean, 12) for source, mean in means.items()}, len(shared)))
    if not blocks:
        raise NegauditError(f"{path}: no backbone and setting has two sources with a dataset in common, so there is no order to recover")
    return blocks, notes


def read_statistics(paths: Sequence[Path], values: Values) -> None:
    """Add the tables backbone, setting, source, statistic, value to `values`; without a column `setting` a value is for every setting."""
    for path in paths:
        for where, row in _rows(path, ("backbone", "source", "statistic", "value")):
            number = _number(row["value"], where, "value")
            values.add(row["statistic"], row["backbone"] or EVERY, row.get("setting") or EVERY, row["source"], number)


def _rows(path: Path, columns: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return (where, row) for each line of a CSV file with at least `columns`."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            rows = [(f"{path}, line {reader.line_num}", row) for row in reader]
            header = [name or "" for name in reader.fieldnames or ()]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise NegauditError(f"{path}: cannot be read as CSV ({error})") from error
    missing = [column for column in columns if column not in header]
    if missing:
        raise NegauditError(
            f"{path}: no column {', '.join(missing)}; expected {', '.join(columns)}, found {', '.join(header) or 'nothing'}"
        )
    if not rows:
        raise NegauditError(f"{path}: holds a header and no rows")
    for where, row in rows:
        if None in row or None in row.values():
            raise NegauditError(f"{where}: has another number of fields than the header")
    return [(where, {key: value.strip() for key, value in row.items()}) for where, row in rows]


def _number(text: str, where: str, column: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise NegauditError(f"{where}: {column} must be a number, got {text!r}")
    return value
