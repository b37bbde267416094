"""Normal forms of a text: for tokens (NFKC, lower case) and for telling whether two texts are the same (folded)."""

from __future__ import annotations

import unicodedata

from negaudit.data.folded import folded as folded


def normalised(text: str) -> str:
    """Return the form whose tokens are counted: NFKC, then lower case."""
    return unicodedata.normalize("NFKC", text).lower()
