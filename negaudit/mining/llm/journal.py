"""The journal of a long run: an append-only file of finished records that a kill at any moment leaves readable."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from negaudit.errors import NegauditError
from negaudit.mining.llm.tally import Tally

SCHEMA = "negaudit.llm-journal/1"


@dataclass(frozen=True, slots=True)
class Passage:
    """An accepted passage and the kind of miss it was written for, if any."""

    text: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A finished record: the passages written for a query, and what they cost."""

    query_id: str
    passages: tuple[Passage, ...]
    tally: Tally


@dataclass
class Journal:
    """The finished records by query id, and what unfinished ones have cost; append() adds to both, on disk where there is a file."""

    finished: dict[str, Written] = field(default_factory=dict)
    unfinished: Tally = field(default_factory=Tally)
    file: IO[bytes] | None = None
    _waiting: list[bytes] = field(default_factory=list)
    _appended: int = 0
    _stored: int = 0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def finish(self, written: Written) -> None:
        """Add a finished record; on return it is on the disk."""
        passages = [[passage.text, passage.kind] for passage in written.passages]
        await self._append({"finished": written.query_id, "passages": passages, "tally": written.tally.as_dict()})
        self.finished[written.query_id] = written

    async def abandon(self, tally: Tally) -> None:
        """Add the cost of a record that was not finished: it will be asked for again."""
        self.unfinished.add(tally)
        await self._append({"unfinished": tally.as_dict()})

    async def _append(self, entry: Mapping[str, Any]) -> None:
        """Store the entry. Entries that come in while others are being stored go to the disk together, in one turn."""
        self._waiting.append(_line(entry))
        self._appended += 1
        number = self._appended
        async with self._lock:
            if self._stored >= number:
                return
            lines, self._waiting = self._waiting, []
            await asyncio.to_thread(_store, self.file, b"".join(lines))
            self._stored += len(lines)


@contextmanager
def open_journal(path: Path | None, settings: Mapping[str, Any]) -> Iterator[Journal]:
    """Yield the journal at `path` with what earlier runs under the same settings finished; None keeps it in memory alone.

    An entry that was being written when a run was killed is cut off. Raises NegauditError where another run has the journal, where it
    belongs to other settings (naming them), or where it is damaged before its end.
    """
    if path is None:
        yield Journal()
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise _unwritable(path, error) from error
    with file:
        _lock(file, path)
        yield _read(file, path, settings)


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this platform
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise NegauditError(f"{path}: another run is writing to this journal; wait for it, or name another one with --journal") from None


def _read(file: IO[bytes], path: Path, settings: Mapping[str, Any]) -> Journal:
    file.seek(0)
    data = file.read()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    journal = Journal(file=file)
    head = {"hash": settings_hash(settings), "schema": SCHEMA, "settings": settings}
    # Nothing is cut off before it is clear that the file is a journal.
    if not lines and _line(head).startswith(data):
        file.truncate(0)
        _store(file, _line(head))
        return journal
    _check_head(lines[0] if lines else data, head, path)
    file.truncate(whole)
    for number, line in enumerate(lines[1:], 2):
        _take_in(journal, _parsed(line, path, number), path, number)
    return journal


def _take_in(journal: Journal, entry: Mapping[str, Any], path: Path, number: int) -> None:
    try:
        if "unfinished" in entry:
            journal.unfinished.add(Tally.from_dict(entry["unfinished"]))
            return
        passages = tuple(Passage(str(text), kind) for text, kind in entry["passages"])
        written = Written(str(entry["finished"]), passages, Tally.from_dict(entry["tally"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(path, number) from error
    journal.finished[written.query_id] = written


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Return the blake2b-128 digest (32 hex digits) of the settings."""
    return hashlib.blake2b(_line(settings), digest_size=16).hexdigest()


def _check_head(line: bytes, head: Mapping[str, Any], path: Path) -> None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise NegauditError(f"{path}: exists and is no journal of this version of negaudit; name another one with --journal")
    if found.get("hash") != head["hash"]:
        settings, now = found.get("settings"), json.loads(_line(head["settings"]))
        before = settings if isinstance(settings, dict) else {}
        changed = ", ".join(sorted(name for name in {*before, *now} if before.get(name) != now.get(name)))
        raise NegauditError(
            f"{path}: holds records made with other settings ({changed or 'unknown ones'}); "
            "go back to those, or start afresh with another --journal"
        )


def _parsed(line: bytes, path: Path, number: int) -> Mapping[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise _damaged(path, number) from None
    if not isinstance(entry, dict):
        raise _damaged(path, number)
    return entry


def _damaged(path: Path, number: int) -> NegauditError:
    return NegauditError(f"{path}, line {number}: damaged; delete that line (its record is asked for again) or name another --journal")


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _store(file: IO[bytes] | None, data: bytes) -> None:
    if file is None:
        return
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())
    except OSError as error:
        raise _unwritable(Path(file.name), error) from error


def _unwritable(path: Path, error: OSError) -> NegauditError:
    return NegauditError(f"cannot write the journal {path}: {error.strerror or error}; choose another place with --journal")
