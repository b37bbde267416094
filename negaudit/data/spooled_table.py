"""A table that is held in memory while it is small, and where it is large lies in a file of its own that is read through a memory map."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from tempfile import TemporaryFile
from typing import IO

import pyarrow as pa

from negaudit.resources import cache_root, written_to_cache

# Bytes. The system's temporary folder is often memory itself, so the file lies in the cache folder, and there only where that cannot be.
MOST_IN_MEMORY = 1 << 30


def spooled(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Return the table of `batches`; beyond MOST_IN_MEMORY bytes it is on disk, in a file that has no name and is gone with the table.

    Raises NegauditError where no folder can take that file.
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
    with _nameless_file() as path:
        with _written():
            file = pa.OSFile(path, "wb")
            writer = pa.ipc.new_file(file, schema)
        for batch in batches:  # reading may fail as well, and that is not the disk's fault
            with _written():
                writer.write_batch(batch)
        with _written():
            writer.close()
            file.close()
            return pa.ipc.open_file(pa.memory_map(path)).read_all()


@contextmanager
def _nameless_file() -> Iterator[str]:
    """Yield a path to a new file without a name, so that a killed run leaves nothing behind; what is mapped of it stays."""
    with ExitStack() as stack:
        with _written():
            file = stack.enter_context(_temporary_file())
        yield f"/dev/fd/{file.fileno()}"


def _temporary_file() -> IO[bytes]:
    folder = cache_root() / "spool"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return TemporaryFile(dir=folder)
    except OSError:
        return TemporaryFile()


def _written() -> AbstractContextManager[None]:
    return written_to_cache("a large corpus", cache_root() / "spool")
