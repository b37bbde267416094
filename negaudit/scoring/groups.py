"""A source's records in twenty groups by query: the sums that show how far its means move from one half to another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.scoring.gates import FLOATS

GROUPS = 20


def group_sums(keys: npt.NDArray[np.uint64], pairs: FLOATS, sums: FLOATS, names: Sequence[str]) -> dict[str, Any]:
    """Return how many pairs each group holds, and each statistic's sum over them, as JSON-ready lists of GROUPS numbers.

    A record's group is a function of its query's key alone: one query is in the same group in every source. `pairs` (n,) and `sums`
    (n, names) are per record; group sums are rounded once, so the order of records changes no bit.
    """
    group = (keys % np.uint64(GROUPS)).astype(np.int64)
    members = [np.flatnonzero(group == number) for number in range(GROUPS)]
    columns = {name: [math.fsum(sums[rows, column]) for rows in members] for column, name in enumerate(names)}
    return {"pairs": [int(pairs[rows].sum()) for rows in members], **columns}
