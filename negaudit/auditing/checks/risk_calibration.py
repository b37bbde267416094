"""How likely a passage near a query is a positive nobody labelled, learnt from the collection's queries with several positives."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from negaudit.auditing.checks.contract import BOOLS, FLOATS
from negaudit.auditing.checks.pool import Pool
from negaudit.data.collection import Collection, LabelledQuery
from negaudit.text.folding import folded

if TYPE_CHECKING:
    from negaudit.encoding.encoder import FrozenEncoder

DEPTH = 20  # candidates for each query: as deep as a miner's list
QUERIES = 1000  # of so many queries at most
LEAST_QUERIES, LEAST_HIDDEN = 20, 100  # fewer labels than these carry no calibration


@dataclass(frozen=True)
class Candidates:
    """Mined candidates of n passages: features (n, 3), whether each is a hidden positive, and the number of its query."""

    features: FLOATS
    hidden: BOOLS
    query: np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Calibration:
    """A logistic model of P(hidden positive | features), and how it did on queries that it had not seen."""

    mean: FLOATS
    scale: FLOATS
    weights: FLOATS
    intercept: float
    report: dict[str, float]

    def risk(self, features: FLOATS) -> FLOATS:
        """Return the risk in [0, 1] of each row of features."""
        z = ((features - self.mean) / self.scale) @ self.weights + self.intercept
        return np.asarray(1 / (1 + np.exp(-np.clip(z, -50, 50))))


def features(s_pos: FLOATS, s_neg: FLOATS, s_posneg: FLOATS) -> FLOATS:
    """Return the features (n, 3) of passages: how near to the query, to the positive, and how far behind the positive."""
    return np.column_stack([s_neg, s_posneg, s_pos - s_neg])


def hidden_candidates(collection: Collection, pool: Pool, encoder: FrozenEncoder, seed: int) -> Candidates | None:
    """Hide all but the first positive of each query and mine: which of the nearest passages are hidden ones?

    Returns None where fewer than LEAST_QUERIES queries have several positives, or fewer than LEAST_HIDDEN hidden ones were mined.
    """
    labelled = [query for query in collection.labelled_queries()[0] if len({folded(text) for text in query.positives}) > 1]
    chosen = sorted(labelled, key=lambda query: _rank(seed, query.query_id))[:QUERIES]
    if len(chosen) < LEAST_QUERIES:
        return None
    asked = encoder.embed([query.query for query in chosen], "query").gather(slice(None))
    known = encoder.embed([query.positives[0] for query in chosen], "passage").gather(slice(None))
    forms = [folded(text) for text in pool.texts]
    parts = [_candidates(query, u, v, pool, forms) for query, u, v in zip(chosen, asked, known, strict=True)]
    numbers = np.repeat(np.arange(len(parts)), [len(part[1]) for part in parts])
    found = Candidates(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]), numbers)
    return found if found.hidden.sum() >= LEAST_HIDDEN and not found.hidden.all() else None


def _candidates(query: LabelledQuery, u: Any, v: Any, pool: Pool, forms: list[str]) -> tuple[FLOATS, BOOLS]:
    """Return features and labels of one query's nearest pool passages, the known positive left out."""
    hidden = {folded(text) for text in query.positives}
    known = folded(query.positives[0])
    similarity = (pool.vectors @ u).astype(np.float64)
    order = np.argsort(-similarity, kind="stable")[: 2 * DEPTH]
    order = np.array([i for i in order if forms[i] != known][:DEPTH], np.int64)
    between = (pool.vectors[order] @ v).astype(np.float64)
    s_pos = np.full(len(order), float(u @ v))
    return features(s_pos, similarity[order], between), np.array([forms[i] in hidden for i in order], np.bool_)


def calibrated(candidates: Candidates) -> Calibration:
    """Return the model fitted to all candidates; its report comes from two models, each judged on the half of the queries it never saw."""
    held_out = np.empty(len(candidates.hidden))
    for half in (0, 1):
        unseen = candidates.query % 2 == half
        held_out[unseen] = _fitted(candidates.features[~unseen], candidates.hidden[~unseen], {}).risk(candidates.features[unseen])
    report = quality(held_out, candidates.hidden)
    report["queries"] = float(candidates.query.max() + 1)
    return _fitted(candidates.features, candidates.hidden, report)


def quality(risk: FLOATS, truth: BOOLS, bar: float = 0.5) -> dict[str, float]:
    """Return precision and recall at the bar, AUC, base rate, and the calibration error: the mean gap of risk and truth over ten bins."""
    from sklearn.metrics import roc_auc_score

    flagged = risk >= bar
    hits = float((flagged & truth).sum())
    bins = np.minimum((risk * 10).astype(np.int64), 9)
    size = np.bincount(bins, minlength=10)
    gaps = np.abs(np.bincount(bins, risk, 10) - np.bincount(bins, truth, 10))
    return {
        "precision": hits / max(1, int(flagged.sum())),
        "recall": hits / max(1, int(truth.sum())),
        "auc": float(roc_auc_score(truth, risk)),
        "base_rate": float(truth.mean()),
        "calibration_error": float(gaps.sum() / size.sum()),
    }


def _fitted(rows: FLOATS, truth: BOOLS, report: dict[str, float]) -> Calibration:
    from sklearn.linear_model import LogisticRegression

    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
    model = LogisticRegression(max_iter=1000).fit((rows - mean) / scale, truth)
    return Calibration(mean, scale, model.coef_[0], float(model.intercept_[0]), report)


def _rank(seed: int, query_id: str) -> bytes:
    return hashlib.blake2b(f"{seed}\0{query_id}".encode(), digest_size=8).digest()
