"""Shards: the finished portions of a long run, kept beside its output until the whole is there."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from negaudit.data.atomic import write_text
from negaudit.data.metadata import SourceMetadata
from negaudit.data.source import NegativeSource
from negaudit.data.store import write_batches, write_source
from negaudit.errors import NegauditError

RUN = "run"
WHOLE = "whole.parquet"


class Shards:
    """The folder `OUT.shards`: what a run has finished so far. Only a run of the same identity goes on with it."""

    def __init__(self, folder: Path, out: Path) -> None:
        self._folder = folder
        self._out = out

    @classmethod
    @contextmanager
    def beside(cls, out: Path, identity: Mapping[str, Any]) -> Iterator[Shards]:
        """Yield the shards of the run that writes `out`; shards that a run of another identity left there are removed.

        Raises NegauditError where the folder cannot be made or another process is at it.
        """
        folder = out.with_name(f"{out.name}.shards")
        key = hashlib.blake2b(json.dumps(identity, sort_keys=True).encode(), digest_size=16).hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NegauditError(f"cannot write {folder}: {error.strerror or error}; choose another place") from error
        with _locked(folder):
            if _read(folder / RUN) != key:
                _clear(folder)
                write_text(folder / RUN, key)
            yield cls(folder, out)

    def get(self, start: int) -> NegativeSource | None:
        """Return the portion that begins with this query, None where it is not finished."""
        path = self._path(start)
        return NegativeSource.from_parquet(path) if path.exists() else None

    def put(self, start: int, portion: NegativeSource) -> NegativeSource:
        """Keep a finished portion, and return it as it lies on disk."""
        write_source(portion, self._path(start))
        return NegativeSource.from_parquet(self._path(start))

    def joined(self, portions: Sequence[NegativeSource], metadata: SourceMetadata) -> NegativeSource:
        """Write all portions to the output as one source, remove the shards, and return the source."""
        write_batches(_batches(portions), metadata, self._folder / WHOLE)
        try:
            os.replace(self._folder / WHOLE, self._out)
        except OSError as error:
            raise NegauditError(f"cannot write {self._out}: {error.strerror or error}; choose another place") from error
        shutil.rmtree(self._folder, ignore_errors=True)
        return NegativeSource.from_parquet(self._out, metadata.name)

    def _path(self, start: int) -> Path:
        return self._folder / f"{start:09d}.parquet"


def _batches(portions: Iterable[NegativeSource]) -> Iterator[pa.RecordBatch]:
    for portion in portions:
        yield from portion.batches()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    import fcntl

    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise NegauditError(f"{folder}: another run is writing there; wait for it, or choose another output") from error
        yield


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def _clear(folder: Path) -> None:
    """Remove what an earlier run left, and nothing that is not a shard."""
    for path in [*folder.glob("*.parquet"), *folder.glob(".*.tmp"), folder / RUN]:
        path.unlink(missing_ok=True)
