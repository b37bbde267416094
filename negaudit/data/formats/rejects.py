"""rejects.jsonl: the places of files that hold no usable record, with line and reason."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Self

from negaudit.data.atomic import atomic_path
from negaudit.data.formats.parsed import Reject
from negaudit.data.lines import line_error
from negaudit.errors import NegauditError

_IN_MEMORY = 1 << 20


class Rejects:
    """Takes rejects in, counts them by reason for each file, and writes them to `path` at the end, if there are any.

    With `strict` the first one raises NegauditError. Without a `path` they are counted only. Use it in a `with` statement; after an error
    what was rejected before is written too, since it may be what the error comes from.
    """

    def __init__(self, path: Path | None = None, *, strict: bool = False) -> None:
        self._path, self._strict = path, strict
        self._lines = tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n")  # noqa: SIM115 (closed in __exit__)
        self.counts: dict[Path, Counter[str]] = {}
        self.first: dict[Path, Reject] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._path is not None and self.counts:
            with atomic_path(self._path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
                self._lines.seek(0)
                shutil.copyfileobj(self._lines, file)
        self._lines.close()

    def add(self, path: Path, reject: Reject) -> None:
        """Take one in; raises NegauditError where that is not allowed (with line and reason), or where it would go onto its own file."""
        if self._path is not None and self._path.resolve() == path.resolve():
            self._path = None  # nothing may be written there any more
            raise NegauditError(f"{path}: its rejects would be written onto it; give another place for them (--rejects FILE)")
        if self._strict:
            raise line_error(path, reject.line, f"{reject.detail} ({reject.reason}; an error under --strict)")
        self.counts.setdefault(path, Counter())[reject.reason] += 1
        self.first.setdefault(path, reject)
        if self._path is not None:
            body = {"file": str(path), "line": reject.line, "reason": reject.reason, "detail": reject.detail, "content": reject.content}
            self._lines.write(json.dumps(body) + "\n")

    @property
    def written(self) -> Path | None:
        """Where the rejects are written, None where there are none or no place was given."""
        return self._path if self.counts else None
