"""UTF-8 texts in the form whose tokens are counted (NFKC, lower case), by compiled code wherever no Unicode table is needed."""

from __future__ import annotations

import functools
import unicodedata

import numpy as np
import numpy.typing as npt

from negaudit.text.byte_texts import ByteTexts
from negaudit.text.folding import normalised

# Up to here it pays to ask Unicode's tables once: Latin, Greek, Cyrillic, Arabic, the Indic scripts and general punctuation.
_JUDGED = 0x2C00
_HANGUL_JAMO = range(0x1100, 0x1200)


def normal_bytes(texts: ByteTexts) -> ByteTexts:
    """Return the texts in normal form: ASCII letters lower-cased as bytes, and through Python only what that does not settle."""
    from negaudit.text.normal_kernel import lowered

    if not len(texts):
        return texts
    low = int(texts.starts.min())
    buffer, settled = lowered(texts.buffer, texts.starts, texts.ends, low, int(texts.ends.max()), _settled_code_points())
    starts, ends = texts.starts - low, texts.ends - low
    others = np.flatnonzero(~settled)
    if len(others):
        rest = ByteTexts.of([normalised(texts.text(i)) for i in others.tolist()])
        starts[others], ends[others] = rest.starts + len(buffer), rest.ends + len(buffer)
        buffer = np.concatenate([buffer, rest.buffer])
    return ByteTexts(buffer, starts, ends)


@functools.cache
def _settled_code_points() -> npt.NDArray[np.bool_]:
    """Return for each code point below _JUDGED whether a text made of such (and ASCII) is in normal form once ASCII is lower-cased.

    Those are characters that NFKC and lower-casing leave alone and that never join with a neighbour: marks and Hangul's jamo may.
    """
    settled = np.zeros(_JUDGED, np.bool_)
    settled[:128] = True
    for code in range(128, _JUDGED):
        character = chr(code)
        joins = unicodedata.category(character).startswith("M") or code in _HANGUL_JAMO
        settled[code] = not joins and normalised(character) == character
    return settled
