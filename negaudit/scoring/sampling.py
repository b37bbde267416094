"""Which valid records of a source are scored: the same queries in every source, whatever the order of rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from negaudit.data.names import name_batches
from negaudit.data.source import BATCH, NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.indexing import VALID, SourceIndex, query_keys, record_counts


def sampled(ranks: npt.NDArray[np.uint64], valid: npt.NDArray[np.bool_], size: int | None) -> npt.NDArray[np.int64]:
    """Return the rows, ascending, of the `size` valid records of lowest rank (all where `size` is None or enough).

    `ranks` are blake2b(seed, query_id), so one seed picks the same queries everywhere; equal ranks go by occurrence.
    """
    rows = np.flatnonzero(valid)
    if size is None or len(rows) <= size:
        return rows
    order = np.argsort(ranks[rows], kind="stable")
    return np.sort(rows[order[:size]])


def rows_to_score(source: NegativeSource, index: SourceIndex, config: ScoreConfig) -> npt.NDArray[np.int64]:
    """Return the rows of `source` to score; raises NegauditError where no record of it is valid."""
    valid = index.state == VALID
    if not valid.any():
        reasons = ", ".join(f"{reason} {count}" for reason, count in record_counts(index.state).items())
        raise NegauditError(f"source '{source.name}': none of its {len(valid)} records can be scored ({reasons})")
    if config.sample is None or int(valid.sum()) <= config.sample:
        return np.flatnonzero(valid)
    ranks = np.concatenate([query_keys(batch["query_id"].to_pylist(), config.seed) for batch in name_batches(source, BATCH)])
    return sampled(ranks, valid, config.sample)
