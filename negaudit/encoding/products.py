"""Which library multiplies while texts are encoded on a CPU."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_lock = threading.Lock()
# torch's switch is one for the whole process: the first that encodes turns it, the last one turns it back.
_encoding: list[bool] = []


@contextmanager
def multiplied_by_mkl() -> Iterator[None]:
    """Have float32 multiplied without oneDNN where torch has MKL, which is about as fast.

    oneDNN keeps code and buffers for every shape of batch that it meets, and batches by token budget have hundreds of shapes.
    """
    from torch import backends as untyped

    backends: Any = untyped
    with _lock:
        _encoding.append(backends.mkldnn.enabled if not _encoding else _encoding[0])
        _turned(backends, _encoding[0] and not backends.mkl.is_available())
    try:
        yield
    finally:
        with _lock:
            before = _encoding.pop()
            if not _encoding:
                _turned(backends, before)


def _turned(backends: Any, on: bool) -> None:
    with suppress(RuntimeError):  # somebody has frozen torch's switches: it stays as it is, at the price of memory
        backends.mkldnn.enabled = on
