"""The compiled copy of texts with ASCII in lower case, which also says which texts need more than that."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def lowered(buffer: Any, starts: Any, ends: Any, low: int, high: int, settled: Any) -> tuple[Any, Any]:
    """Return `buffer[low:high]` with ASCII letters in lower case, and for each text whether all its code points are in `settled`."""
    out = np.empty(high - low, np.uint8)
    for at in range(low, high):
        byte = buffer[at]
        out[at - low] = byte | np.uint8(0x20) if 65 <= byte <= 90 else byte
    whole = np.ones(len(starts), np.bool_)
    for i in range(len(starts)):
        at = starts[i]
        while at < ends[i]:
            lead = np.int64(buffer[at])
            if lead < 0x80:
                at += 1
                continue
            if lead < 0xE0:
                code, size = ((lead & 0x1F) << 6) | (buffer[at + 1] & 0x3F), 2
            elif lead < 0xF0:
                code, size = ((lead & 0x0F) << 12) | ((buffer[at + 1] & 0x3F) << 6) | (buffer[at + 2] & 0x3F), 3
            else:
                code, size = len(settled), 4
            if code >= len(settled) or not settled[code]:
                whole[i] = False
                break
            at += size
    return out, whole
