"""Parquet on the Hugging Face hub, read where it is through the library that knows the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from negaudit.errors import NegauditError

HUB = "hf:/"  # a Path has taken one of the two slashes away


def open_parquet(path: Path) -> Any:
    """Return what pyarrow can read `path` from: the path itself, or for hf://… an open file.

    Raises NegauditError where the hub's library is missing or the file cannot be opened there.
    """
    if not str(path).startswith(HUB):
        return path
    address = "hf://" + str(path)[len(HUB) :].lstrip("/")
    try:
        from huggingface_hub import HfFileSystem
    except ImportError:
        raise NegauditError(f"{address} needs huggingface_hub; install it with: pip install huggingface_hub") from None
    try:
        return HfFileSystem().open(address, "rb")
    except Exception as error:
        # The library has its own errors and those of its HTTP client; each is an address that cannot be read.
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise NegauditError(f"{address}: cannot be opened on the hub ({reason})") from error
