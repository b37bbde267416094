"""The check `surface_leak`: whether negatives can be told from positives by their surface alone, without the query."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import FLOATS, CannotRunError, Finding, Measured
from negaudit.auditing.checks.registry import register
from negaudit.auditing.checks.surface_features import NAMES, feature_table
from negaudit.scoring.intervals import percentile_interval

FOLDS = 3
REPLICATES = 200
NAMED = 3  # features named in the reason
INTS = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Examples:
    """Passages as examples: features (n, f), whether each is a negative, its record, its text, and its place among the negatives (-1)."""

    features: FLOATS
    negative: npt.NDArray[np.bool_]
    record: INTS
    text: INTS
    place: INTS


@register
class SurfaceLeak:
    """A negative's value is the held-out probability that its surface belongs to a negative.

    The check's value is the AUC: near 0.5 is good, and what is below counts as its mirror image. Records and texts each fall into
    three folds. A model is trained on examples neither of whose folds is tested, so that no text and no record is on both sides.
    """

    name: ClassVar[str] = "surface_leak"
    needs: ClassVar[frozenset[str]] = frozenset()

    def run(self, context: CheckContext) -> Finding:
        """Return the AUC and the features that give it away; raises CannotRunError where there are too few texts to learn from."""
        settings = context.profile.of(self.name)
        examples = _examples(context, int(settings["records"]))
        scores = held_out_scores(examples, context)
        tested = ~np.isnan(scores)
        if min((examples.negative & tested).sum(), (~examples.negative & tested).sum()) < settings["least"]:
            raise CannotRunError(f"it needs at least {settings['least']:.0f} negatives and positives to test on")
        auc, interval = _auc_interval(scores[tested], examples.negative[tested], examples.record[tested], context.seed)
        values = np.full(len(context.sample), np.nan)
        of_negatives = examples.negative & tested
        values[examples.place[of_negatives]] = scores[of_negatives]
        found = telling_features(examples)
        told = ", ".join(f"{name} ({auc:.2f})" for name, auc in list(found.items())[:NAMED])
        reason = f"surface alone tells negatives from positives with AUC {auc:.2f}; most telling by themselves: {told}"
        return Finding(
            values, np.nan_to_num(values) >= settings["sure"], reason, measured=Measured(auc, interval), details={"features": found}
        )


def _examples(context: CheckContext, most: int) -> Examples:
    """Return each record's first positive and its negatives, of at most `most` records (those of lowest key)."""
    sample = context.sample
    chosen = np.zeros(len(sample.rows), np.bool_)
    chosen[np.argsort(sample.keys, kind="stable")[:most]] = True
    place = np.flatnonzero(chosen[sample.record] & sample.present)
    records = np.flatnonzero(chosen)
    text = np.concatenate([sample.negative[place], sample.first_positive[records]])
    used, where = np.unique(text, return_inverse=True)
    table = feature_table([sample.texts[number] for number in used])
    negative = np.arange(len(text)) < len(place)
    nowhere = np.full(len(records), -1)
    record = np.concatenate([sample.record[place], records])
    return Examples(table[where], negative, record, text, np.concatenate([place, nowhere]))


def held_out_scores(examples: Examples, context: CheckContext) -> FLOATS:
    """Return each tested example's probability of being a negative, NaN for the two thirds whose record and text are in unlike folds."""
    from sklearn.linear_model import LogisticRegression

    rows = _curved(examples.features)
    record_fold = np.array([_fold(context.seed, context.sample.query_ids[i]) for i in range(len(context.sample.rows))])[examples.record]
    numbers, where = np.unique(examples.text, return_inverse=True)
    text_fold = np.array([_fold(context.seed, context.sample.texts[number]) for number in numbers])[where]
    scores = np.full(len(examples.negative), np.nan)
    for fold in range(FOLDS):
        train = (record_fold != fold) & (text_fold != fold)
        test = (record_fold == fold) & (text_fold == fold)
        if test.any() and 0 < examples.negative[train].sum() < train.sum():
            model = LogisticRegression(max_iter=300, class_weight="balanced").fit(rows[train], examples.negative[train])
            scores[test] = model.predict_proba(rows[test])[:, 1]
    return scores


def telling_features(examples: Examples) -> dict[str, float]:
    """Return each feature's own AUC (mirrored to 0.5 and above), the most telling first."""
    from sklearn.metrics import roc_auc_score

    found = {name: roc_auc_score(examples.negative, column) for name, column in zip(NAMES, examples.features.T, strict=True)}
    return dict(sorted(((name, float(max(auc, 1 - auc))) for name, auc in found.items()), key=lambda item: (-item[1], item[0])))


def _auc_interval(scores: FLOATS, truth: Any, record: INTS, seed: int) -> tuple[float, tuple[float, float] | None]:
    """Return the AUC, mirrored to 0.5 and above, and its interval by a bootstrap over records."""
    from sklearn.metrics import roc_auc_score

    auc = float(roc_auc_score(truth, scores))
    sign = 1.0 if auc >= 0.5 else -1.0
    draws = np.random.default_rng(seed)
    drawn = np.full(REPLICATES, np.nan)
    for replicate in range(REPLICATES):
        weights = draws.poisson(1.0, record.max() + 1)[record]
        if weights[truth].sum() and weights[~truth].sum():
            drawn[replicate] = roc_auc_score(truth, sign * scores, sample_weight=weights)
    return max(auc, 1 - auc), percentile_interval(drawn)


def _curved(features: FLOATS) -> FLOATS:
    """Return the features at unit scale with their squares, so that a linear model sees "neither short nor long" too."""
    logs = np.log1p(features)
    scaled = (logs - logs.mean(axis=0)) / np.maximum(logs.std(axis=0), 1e-9)
    return np.column_stack([scaled, np.minimum(scaled**2, 9.0)])


def _fold(seed: int, text: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}\0{text}".encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") % FOLDS
