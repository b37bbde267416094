"""The formulas once more, as plain float64 Python over sets and dictionaries: what the compiled code is held against."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np


def tokens(text: str) -> set[str]:
    """Return the set of runs of letters, marks and numbers of the NFKC, lower-cased text, by walking over its characters."""
    found, run = set(), ""
    for character in unicodedata.normalize("NFKC", text).lower() + " ":
        if unicodedata.category(character)[0] in "LMN":
            run += character
        elif run:
            found.add(run)
            run = ""
    return found


def idf(documents: Iterable[str]) -> tuple[Counter[str], int]:
    """Return document frequencies over the distinct, non-empty documents, and how many those are."""
    distinct = {text for text in documents if text.strip()}
    counts: Counter[str] = Counter()
    for text in distinct:
        counts.update(tokens(text))
    return counts, len(distinct)


def psi(query: str, negative: str, df: Counter[str], documents: int) -> float:
    """Return 1 - C(q, n)."""

    def weight(found: set[str]) -> float:
        return math.fsum(math.log((documents + 1) / (df[t] + 1)) + 1 for t in found)

    return 1 - weight(tokens(query) & tokens(negative)) / weight(tokens(query))


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def volume(weights: Sequence[float], residuals: np.ndarray) -> tuple[float, float]:
    """Return log-det and trace of (1/N) Σ w r rᵀ through slogdet."""
    information = (residuals * np.asarray(weights)[:, None]).T @ residuals / len(weights)
    return float(np.linalg.slogdet(np.eye(residuals.shape[1]) + information)[1]), float(np.trace(information))
