"""Small batches joined, so that what is done for each batch is done seldom enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

# While a batch is joined it is there twice; and this is far below the 2 GiB that one string array can hold.
MOST_BYTES = 4 << 20


def joined(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of `batches` in batches of at most `rows` rows, small ones joined up to there or to MOST_BYTES; none is empty.

    A batch of more rows comes as it is.
    """
    waiting: list[pa.RecordBatch] = []
    count = size = 0
    for batch in batches:
        more = batch.nbytes
        if waiting and (count + batch.num_rows > rows or size + more > MOST_BYTES):
            yield _one(waiting)
            waiting, count, size = [], 0, 0
        if batch.num_rows:
            waiting.append(batch)
            count, size = count + batch.num_rows, size + more
    if waiting:
        yield _one(waiting)


def _one(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)
