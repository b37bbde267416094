"""Which valid records of a source are scored: the same queries in every source, whatever the order of rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def sampled(ranks: npt.NDArray[np.uint64], valid: npt.NDArray[np.bool_], size: int | None) -> npt.NDArray[np.int64]:
    """Return the rows, ascending, of the `size` valid records of lowest rank (all where `size` is None or enough).

    `ranks` are blake2b(seed, query_id), so one seed picks the same queries everywhere; equal ranks go by occurrence.
    """
    rows = np.flatnonzero(valid)
    if size is None or len(rows) <= size:
        return rows
    order = np.argsort(ranks[rows], kind="stable")
    return np.sort(rows[order[:size]])
