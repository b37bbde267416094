"""The folded form, in which two texts count as the same."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """Return the form in which two texts count as the same: NFKC, casefolded, white space collapsed and stripped."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
