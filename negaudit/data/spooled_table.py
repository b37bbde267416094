"""A table that is held in memory while it is small, and where it is large lies in a file of its own that is read through a memory map."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile, gettempdir

import pyarrow as pa

from negaudit.errors import NegauditError
from negaudit.resources import cache_root, written_to_cache

# Bytes. The system's temporary folder is often memory itself, which is why the file lies in the cache folder.
MOST_IN_MEMORY = 1 << 30
REMEDY = "name another cache folder in NEGAUDIT_CACHE"


def spooled(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Return the table of `batches`; beyond MOST_IN_MEMORY bytes it is on disk, as `mapped` puts it there."""
    rest, held, size = iter(batches), deque[pa.RecordBatch](), 0
    for batch in rest:
        held.append(batch)
        size += batch.nbytes
        if size > MOST_IN_MEMORY:
            return mapped(_each(held, rest), schema, "a large corpus")
    return pa.Table.from_batches(list(held), schema)


def mapped(batches: Iterable[pa.RecordBatch], schema: pa.Schema, what: str) -> pa.Table:
    """Return the table of `batches`, one chunk for each, read through a map of a file that has no name and is gone with the table.

    The file lies in the cache folder, where that cannot be in the system's temporary one. Raises NegauditError, which calls the texts
    `what`, where neither can take it.
    """
    with _nameless_file(what) as (path, folder):
        writing = partial(written_to_cache, what, folder, REMEDY)
        with writing():
            file = pa.OSFile(path, "wb")
            writer = pa.ipc.new_file(file, schema)
        for batch in batches:  # reading may fail as well, and that is not the disk's fault
            with writing():
                writer.write_batch(batch)
        with writing():
            writer.close()
            file.close()
            return pa.ipc.open_file(pa.memory_map(path)).read_all()


def _each(held: deque[pa.RecordBatch], rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield what is held, which is then held no longer, and the rest."""
    while held:
        yield held.popleft()
    yield from rest


@contextmanager
def _nameless_file(what: str) -> Iterator[tuple[str, Path]]:
    """Yield a path to a new file without a name, so that a killed run leaves nothing behind, and the folder it is in."""
    with ExitStack() as stack:
        try:
            folder = cache_root() / "spool"
            folder.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(TemporaryFile(dir=folder))
        except (OSError, NegauditError):
            with written_to_cache(what, Path("a temporary folder"), REMEDY):
                folder = Path(gettempdir())
                file = stack.enter_context(TemporaryFile(dir=folder))
        yield f"/dev/fd/{file.fileno()}", folder
