"""Scored sources read back from the folders that `score` wrote, in an order that does not depend on the order of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.comparable import check_comparable
from negaudit.scoring.gates import Similarities
from negaudit.scoring.indexing import query_keys
from negaudit.scoring.pairs import PairChunk
from negaudit.scoring.scorer import COMMAND, PAIRS, load_score

NUMBERS = ("record", "negative_index", "coverage")
COSINES = ("s_pos", "s_neg", "s_posneg", "residual_norm")
WORDS = ("query_id", "negative_id", "origin")


@dataclass(frozen=True)
class ScoredSource:
    """The n scored records of one source and their pairs, records by the hash of their query: `key` (n,), `query_ids` (n,), `rows` (n,)
    in the source that was scored, `pairs` (its `record` counts 0 to n - 1), and for each pair `negative_ids` and `origins`. `body` is its
    part of summary.json.
    """

    name: str
    body: Mapping[str, Any]
    key: npt.NDArray[np.uint64]
    query_ids: pa.Array
    rows: npt.NDArray[np.int64]
    pairs: PairChunk
    negative_ids: pa.Array
    origins: pa.Array

    @property
    def role(self) -> str:
        """genuine, candidate or control."""
        return str(self.body["role"])

    @property
    def encoded(self) -> bool:
        """Whether an encoder had a part in the scores."""
        return self.pairs.similarity is not None

    @property
    def negatives_per_record(self) -> int:
        """K: how many scored negatives a record has on average, rounded."""
        return round(len(self.pairs.record) / len(self.key))


@dataclass(frozen=True)
class ScoredRun:
    """Sources that may stand side by side, by name, and the `summary` that says what they were scored with."""

    sources: dict[str, ScoredSource]
    summary: Mapping[str, Any]

    @property
    def encoded(self) -> bool:
        """Whether an encoder had a part in the scores."""
        return self.summary["encoder"] is not None

    def setting(self) -> dict[str, Any]:
        """Return what the numbers depend on, JSON-ready: tokenizer, idf, tau, sample and encoder."""
        lexical, encoder = self.summary["lexical"], self.summary["encoder"]
        named = {key: lexical[key] for key in ("tokenizer", "idf", "fingerprint", "reliable")}
        config = {key: self.summary["config"][key] for key in ("tau", "sample")}
        return {**named, **config, "encoder": encoder["model"] if encoder else None, "config_hash": self.summary["config_hash"]}


def load_scored(folders: Sequence[Path], names: Sequence[str] | None = None) -> ScoredRun:
    """Return the sources (those of `names`, else all) of scored `folders`.

    Raises NegauditError for a folder without a finished run, runs that cannot be compared, a name that is there twice or not at all.
    """
    runs = {str(folder): load_score(folder).summary for folder in folders}
    if not runs:
        raise NegauditError("there is nothing to compare; give a folder that `negaudit score` wrote")
    check_comparable(runs)
    homes: dict[str, Path] = {}
    for folder in dict.fromkeys(folders):
        for name in runs[str(folder)]["sources"]:
            if name in homes:
                raise NegauditError(
                    f"source '{name}' is in both {homes[name]} and {folder}; score one under another name (--source NAME=FILE)"
                )
            homes[name] = folder
    for name in names or ():
        if name not in homes:
            raise unknown_name("source", name, homes)
    chosen = dict.fromkeys(names) if names else homes
    return ScoredRun({name: _load(homes[name], name, runs[str(homes[name])]) for name in chosen}, next(iter(runs.values())))


def _load(folder: Path, name: str, summary: Mapping[str, Any]) -> ScoredSource:
    body, path = summary["sources"][name], folder / name / PAIRS
    columns = [*NUMBERS, *(COSINES if summary["encoder"] else ()), *WORDS]
    try:
        table = pq.read_table(path, columns=columns).combine_chunks()
    except (OSError, pa.ArrowException, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NegauditError(f"{path}: cannot be read ({reason}); run `{COMMAND}` again") from error
    if table.column_names != columns or table.num_rows != body["negatives"]["scored"]:
        raise NegauditError(
            f"{path}: {table.num_rows} pairs of columns {', '.join(table.column_names)} are not the {body['negatives']['scored']} pairs "
            f"that summary.json tells of; run `{COMMAND}` again"
        )
    arrays = {column: table[column].to_numpy() for column in columns if column not in WORDS}
    if not all(np.isfinite(values).all() for values in arrays.values()):
        raise NegauditError(f"{path}: holds a number that is not finite; run `{COMMAND}` again")
    return _ordered(name, body, table, arrays, float(summary["config"]["tau"]))


def _ordered(name: str, body: Mapping[str, Any], table: pa.Table, arrays: Mapping[str, npt.NDArray[Any]], tau: float) -> ScoredSource:
    """Sort the records by the hash of their query, those of one query by what was scored; pairs keep their order in a record."""
    starts = np.flatnonzero(np.diff(arrays["record"], prepend=-1))
    counts = np.diff(np.append(starts, len(arrays["record"])))
    query_ids = _plain(table["query_id"]).take(pa.array(starts))
    key = query_keys(query_ids.to_pylist())
    told = [np.add.reduceat(arrays[column], starts) for column in (*COSINES[:3], "coverage") if column in arrays]
    order = np.lexsort([*told, counts, key])
    begins = np.concatenate([[0], np.cumsum(counts[order])])[:-1]
    at = np.arange(len(arrays["record"])) - np.repeat(begins - starts[order], counts[order])
    record = np.repeat(np.arange(len(starts)), counts[order])
    pairs = _chunk({column: values[at] for column, values in arrays.items()}, record, tau)
    taken = pa.array(at)
    words = (_plain(table[word]).take(taken) for word in ("negative_id", "origin"))
    return ScoredSource(name, body, key[order], query_ids.take(pa.array(order)), arrays["record"][starts[order]], pairs, *words)


def _chunk(arrays: Mapping[str, npt.NDArray[Any]], record: npt.NDArray[np.int64], tau: float) -> PairChunk:
    similarity = Similarities(arrays["s_pos"], arrays["s_neg"], arrays["s_posneg"]) if "s_pos" in arrays else None
    directed = arrays["residual_norm"] > 0 if "residual_norm" in arrays else None
    return PairChunk(record, arrays["negative_index"], arrays["coverage"], tau, similarity, directed)


def _plain(column: pa.ChunkedArray) -> pa.Array:
    return pc.fill_null(column, "").combine_chunks() if column.num_chunks != 1 else pc.fill_null(column.chunk(0), "")
