"""Normal forms of a text: for tokens (NFKC, lower case) and for telling whether two texts are the same (folded)."""

from __future__ import annotations

import unicodedata


def normalised(text: str) -> str:
    """Return the form whose tokens are counted: NFKC, then lower case."""
    return unicodedata.normalize("NFKC", text).lower()


def folded(text: str) -> str:
    """Return the form in which two texts count as the same: NFKC, casefolded, white space collapsed and stripped."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
