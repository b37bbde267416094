"""Whether an output may be written, asked before any work is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from negaudit.errors import NegauditError

Overwrite = Literal["never", "missing", "always"]


def to_be_written(path: Path, overwrite: Overwrite) -> bool:
    """Return whether the file at `path` is to be made: not where it exists and `overwrite` is "missing".

    Raises NegauditError where it exists and `overwrite` is "never", or where it could not be written.
    """
    try:
        return _wanted(path, overwrite)
    except (OSError, UnicodeEncodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its name is not UTF-8"
        raise NegauditError(f"cannot write {str(path)[:80]!r}: {reason}; choose another place") from error


def _wanted(path: Path, overwrite: Overwrite) -> bool:
    str(path).encode()  # the libraries that write take UTF-8 paths only
    if path.is_dir():
        raise NegauditError(f"cannot write {path}: it is a folder; give a file name")
    if path.exists():
        if overwrite == "never":
            raise NegauditError(f"{path} exists; --overwrite always replaces it, --overwrite missing keeps it")
        return overwrite == "always"
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir():
        raise NegauditError(f"cannot write {path}: {above} is no folder; choose another place")
    if not os.access(above, os.W_OK | os.X_OK):
        raise NegauditError(f"cannot write {path}: no permission in {above}; choose another place")
    return True
