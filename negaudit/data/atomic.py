"""Files that appear whole or not at all: written to a temporary name beside the target, then renamed."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from negaudit.errors import NegauditError


@contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside `target`; rename it onto `target` on success, remove it on failure.

    Missing folders are made. Raises NegauditError where the target cannot be written: no permission, a full disk, a folder or a device
    in its place. An OSError about another file is not the target's fault and passes through.
    """
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        _start(target, temporary)
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.filename is not None and os.fspath(error.filename) != str(temporary):
            raise
        raise _unwritable(target, error) from error
    finally:
        _remove(temporary)


def write_text(target: Path, text: str) -> None:
    """Write `text` as UTF-8, line ends as they are, to `target`, whole or not at all."""
    with atomic_path(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(target: Path, body: Any) -> None:
    """Write `body` as indented JSON with sorted keys; raises ValueError for NaN and infinity, since JSON has none."""
    write_text(target, json.dumps(body, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")


def _start(target: Path, temporary: Path) -> None:
    if target.is_dir():
        raise NegauditError(f"cannot write {target}: it is a folder; give a file name")
    if target.exists() and not target.is_file():
        # Renaming onto a device would replace the device itself.
        raise NegauditError(f"cannot write {target}: it is not a regular file; give a file name")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.touch()
    except OSError as error:
        raise _unwritable(target, error) from error


def _unwritable(target: Path, error: OSError) -> NegauditError:
    return NegauditError(f"cannot write {target}: {error.strerror or error}; choose another place")


def _remove(temporary: Path) -> None:
    try:
        temporary.unlink(missing_ok=True)
    except OSError:
        # The folder went away or never was one: there is nothing of ours to remove.
        return
