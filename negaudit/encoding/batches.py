"""Batches by token budget: texts of like length together, so that little is padded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

MOST_TEXTS = 1024


def plan_batches(
    lengths: npt.NDArray[np.integer], keys: npt.NDArray[np.bytes_], budget: int, most: int = MOST_TEXTS
) -> Iterator[npt.NDArray[np.intp]]:
    """Yield the positions of each batch, longest texts first; `lengths` are token counts after truncation.

    A batch's padded size (texts x longest) is at most `budget` tokens, unless one text alone is longer, and at most `most` texts.
    The order is by length, then key, so it depends on the texts alone; and since batches are cut greedily from the front,
    what is left after any whole number of batches is cut in the same places. A run that was killed thus goes on with the same batches.
    """
    if not len(lengths):
        return
    order = np.lexsort((keys, -lengths.astype(np.int64)))
    start = 0
    while start < len(order):
        size = max(1, min(budget // max(1, int(lengths[order[start]])), most))
        yield order[start : start + size]
        start += size
