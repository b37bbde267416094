"""A table that is held in memory while it is small, and where it is large lies in a file of its own that is read through a memory map."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile

import pyarrow as pa

from negaudit.resources import cache_root, written_to_cache

# Bytes. A temporary folder is often memory itself, so the file lies in the cache folder.
MOST_IN_MEMORY = 1 << 30


def spooled(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Return the table of `batches`; beyond MOST_IN_MEMORY bytes it is on disk, in a file that has no name and is gone with the table.

    Raises NegauditError where the cache folder cannot take that file.
    """
    rest, held, size = iter(batches), deque[pa.RecordBatch](), 0
    for batch in rest:
        held.append(batch)
        size += batch.nbytes
        if size > MOST_IN_MEMORY:
            return _mapped(_each(held, rest), schema)
    return pa.Table.from_batches(list(held), schema)


def _each(held: deque[pa.RecordBatch], rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield what is held, which is then held no longer, and the rest."""
    while held:
        yield held.popleft()
    yield from rest


def _mapped(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    folder, what = cache_root() / "spool", "a large corpus"
    with written_to_cache(what, folder):
        folder.mkdir(parents=True, exist_ok=True)
        # Without a name from the first, so that a killed run leaves nothing behind.
        file = TemporaryFile(dir=folder)  # noqa: SIM115  closed below; what is mapped by then stays
    with file:
        writer = pa.ipc.new_file(file, schema)
        for batch in batches:  # reading may fail as well, and that is not the cache's fault
            with written_to_cache(what, folder):
                writer.write_batch(batch)
        with written_to_cache(what, folder):
            writer.close()
            file.flush()
        return pa.ipc.open_file(pa.memory_map(f"/dev/fd/{file.fileno()}")).read_all()
