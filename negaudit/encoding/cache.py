"""The embedding cache: per contract two append-only files, written in whole batches and read through a memory map."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from negaudit.data.atomic import write_text
from negaudit.encoding.contract import EncoderContract
from negaudit.resources import cache_root, written_to_cache

LAYOUT = "embeddings-1"
# `left` counts the rows of the same batch that follow: a tail without its 0 is a batch that was never finished.
ENTRY = np.dtype([("key", "S16"), ("tokens", "<u4"), ("left", "<u2"), ("usable", "u1"), ("spare", "u1")])
Keys = npt.NDArray[np.bytes_]
default_cache_root = cache_root


def text_keys(texts: Sequence[str], prefix: str) -> Keys:
    """Return the blake2b-128 key of each text under `prefix`."""
    start = hashlib.blake2b(prefix.encode("utf-8", "surrogatepass") + b"\0", digest_size=16)

    def key(text: str) -> bytes:
        digest = start.copy()
        digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.digest()

    return np.fromiter(map(key, texts), "S16", len(texts))


@dataclass(frozen=True)
class CachedRows:
    """The finished rows at one moment. `keys` are sorted; `rows[i]` is where the vector of `keys[i]` lies."""

    keys: Keys
    rows: npt.NDArray[np.int64]
    tokens: npt.NDArray[np.uint32]
    usable: npt.NDArray[np.bool_]
    vectors: npt.NDArray[np.float32]

    def find(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Return the row of each key, -1 where it is not cached."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int64)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.rows[place], -1)


class EmbeddingCache:
    """The cache of one contract under `root`. Any number of processes may read and write it.

    Raises NegauditError where the folder cannot be made.
    """

    def __init__(self, root: Path, contract: EncoderContract) -> None:
        self.folder = root / LAYOUT / contract.fingerprint()
        self._dimension = contract.dimension
        self._seen: tuple[int, CachedRows] | None = None
        with _writing(root):
            self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / "contract.json").exists():
            write_text(self.folder / "contract.json", json.dumps(contract.as_dict(), indent=2, sort_keys=True) + "\n")

    def read(self) -> CachedRows:
        """Return the rows that are finished now."""
        entries = self._entries()
        if self._seen is None or self._seen[0] != len(entries):
            self._seen = (len(entries), self._snapshot(entries))
        return self._seen[1]

    @contextmanager
    def writing(self) -> Iterator[CacheWriter]:
        """Yield the writer, waiting until no other process has it; an unfinished batch at the end is cut off first."""
        import fcntl

        with ExitStack() as files:
            with _writing(self.folder):
                fcntl.flock(files.enter_context(open(self.folder / "lock", "w")), fcntl.LOCK_EX)
                done = len(self._entries())
                keys = files.enter_context(open(self._keys_file, "ab", buffering=0))
                vectors = files.enter_context(open(self._vectors_file, "ab", buffering=0))
                keys.truncate(done * ENTRY.itemsize)
                vectors.truncate(done * self._row_bytes)
            yield CacheWriter(self.folder, keys.fileno(), vectors.fileno())
            with _writing(self.folder):
                os.fsync(vectors.fileno())
                os.fsync(keys.fileno())

    @property
    def _keys_file(self) -> Path:
        return self.folder / "keys.bin"

    @property
    def _vectors_file(self) -> Path:
        return self.folder / "vectors.f32"

    @property
    def _row_bytes(self) -> int:
        return 4 * self._dimension

    def _entries(self) -> npt.NDArray[np.void]:
        """Return the entries up to the end of the last batch that is wholly there, keys and vectors."""
        if not self._keys_file.exists() or not self._vectors_file.exists():
            return np.empty(0, ENTRY)
        # Keys are read first: a batch's vectors are written before its keys, so whatever keys are seen have theirs.
        entries = np.fromfile(self._keys_file, ENTRY)
        there = min(len(entries), self._vectors_file.stat().st_size // self._row_bytes)
        ends = np.flatnonzero(entries["left"][:there] == 0)
        return entries[: ends[-1] + 1] if len(ends) else entries[:0]

    def _snapshot(self, entries: npt.NDArray[np.void]) -> CachedRows:
        order = np.argsort(entries["key"], kind="stable")
        shape = (len(entries), self._dimension)
        vectors = np.memmap(self._vectors_file, "<f4", "r", shape=shape) if len(entries) else np.empty(shape, np.float32)
        return CachedRows(entries["key"][order], order.astype(np.int64), entries["tokens"], entries["usable"].astype(np.bool_), vectors)


@dataclass(frozen=True, slots=True)
class CacheWriter:
    """Appends whole batches to the two files of a locked cache."""

    folder: Path
    keys: int
    vectors: int

    def append(self, keys: Keys, tokens: npt.NDArray[np.integer], usable: npt.NDArray[np.bool_], vectors: npt.NDArray[np.float32]) -> None:
        """Append one batch (at most 65,536 rows): first all vectors, then the entries that make them count."""
        entries = np.zeros(len(keys), ENTRY)
        entries["key"], entries["tokens"], entries["usable"] = keys, tokens, usable
        entries["left"] = np.arange(len(keys) - 1, -1, -1)
        with _writing(self.folder):
            _write_all(self.vectors, np.ascontiguousarray(vectors, "<f4").tobytes())
            _write_all(self.keys, entries.tobytes())


def _writing(folder: Path) -> AbstractContextManager[None]:
    return written_to_cache("embeddings", folder)


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]
