"""The estimate of random passages is unbiased, its interval covers what it should, and it sees a tenth where there is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from negaudit.auditing.check_profile import load_profile
from negaudit.auditing.checks.exchangeable_ranks import best_ranks
from negaudit.auditing.checks.pool import pool_of
from negaudit.auditing.checks.words import Words
from negaudit.auditing.record_sums import RecordSums
from negaudit.data.source import NegativeSource
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.scoring.indexing import query_keys
from negaudit.scoring.intervals import percentile_interval
from negaudit.text.tokenizers import get_tokenizer
from tests.auditing.checks.conftest import Mined

pytestmark = pytest.mark.acceptance
SEEDS, OF_MEAN = 100, 20
FRACTIONS = (0.1, 0.25, 0.5, 0.75)
BIAS = {"scifact": 0.03, "stackfaq": 0.03, "msmarco_dl19": 0.06}
SETTINGS = load_profile().of("unrelated")
CUT, SIZE = SETTINGS["cut"], int(SETTINGS["passages"])
REPLICATES = 1000
QUERIES = 400  # of each source: a smaller one is harder, and a hundred seeds take seconds


@dataclass(frozen=True)
class Measured:
    """Both measures of every query with every passage, (queries, passages), and each query's negatives and positives among these."""

    keys: npt.NDArray[np.uint64]
    similarity: npt.NDArray[np.float32]
    coverage: npt.NDArray[np.float32]
    negatives: list[npt.NDArray[np.int64]]
    positives: list[npt.NDArray[np.int64]]

    def shares(self, lists: npt.NDArray[np.int64], null: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the check's share for passages (queries, k; -1: none, NaN) against null passages (queries, m)."""
        row, place = np.nonzero(lists >= 0)
        measures = (self.similarity, self.coverage)
        values = [m[row, lists[row, place]].astype(np.float64) for m in measures]
        drawn = [np.take_along_axis(m, null, 1).astype(np.float64) for m in measures]
        found = np.full(lists.shape, np.nan)
        found[row, place] = best_ranks(values, drawn, row).below(CUT) / CUT
        return found

    def sums(self, shares: npt.NDArray[np.float64]) -> RecordSums:
        return RecordSums(self.keys, np.nansum(shares, 1), (~np.isnan(shares)).sum(1).astype(np.float64))


def measured(mined: Mined, source: NegativeSource, encoder: FrozenEncoder) -> Measured:
    pool = pool_of(mined.collection, [], 10**9, 0, encoder)
    records = list(source.records())[:QUERIES]
    queries = [record.query for record in records]
    words = Words.of(queries, [], pool.texts, get_tokenizer("alnum"))
    asked, held = np.divmod(np.arange(len(queries) * len(pool)), len(pool))
    coverage = words.coverage(asked, held, words.pool).reshape(len(queries), len(pool)).astype(np.float32)
    vectors = encoder.embed(queries, "query").gather(slice(None))
    return Measured(
        query_keys([record.query_id for record in records]),
        vectors @ pool.vectors.T,
        coverage,
        [np.array([pool.number[negative.text] for negative in record.negatives], np.int64) for record in records],
        [np.array([pool.number[text] for text in record.positives], np.int64) for record in records],
    )


@dataclass(frozen=True)
class Trial:
    """One seed: a negative is replaced where `drawn` is below the fraction; shares of kept, of replacing and, apart, of undiluted ones."""

    drawn: npt.NDArray[np.float64]
    kept: npt.NDArray[np.float64]
    replacing: npt.NDArray[np.float64]
    undiluted: npt.NDArray[np.float64]

    def diluted(self, fraction: float) -> tuple[npt.NDArray[np.float64], float]:
        """Return the shares of the dilution, and what part of the negatives was replaced."""
        replaced = self.drawn < fraction
        return np.where(replaced, self.replacing, self.kept), float(replaced[~np.isnan(self.kept)].mean())


def trial(of: Measured, seed: int) -> Trial:
    """Draw random passages in place of the negatives, and random passages to hold them against; a second set for the undiluted source."""
    draws = np.random.default_rng(seed)
    width = max(len(some) for some in of.negatives)
    base = np.array([np.pad(some, (0, width - len(some)), constant_values=-1) for some in of.negatives])
    null, again, new = (np.empty((len(base), size), np.int64) for size in (SIZE, SIZE, width))
    for row, (negatives, positives) in enumerate(zip(of.negatives, of.positives, strict=True)):
        own = np.concatenate([negatives, positives])
        others = np.setdiff1d(np.arange(of.similarity.shape[1]), own, assume_unique=False)
        again[row] = draws.choice(others, SIZE, replace=False, shuffle=False)
        null[row], new[row] = np.split(draws.choice(others, SIZE + width, replace=False), [SIZE])
    new[base < 0] = -1
    return Trial(draws.random(base.shape), of.shares(base, null), of.shares(new, null), of.shares(base, again))


def exact_base(of: Measured, trials: list[Trial]) -> float:
    """Return what the estimate of the undiluted source is in the mean over all null draws that were made."""
    return float(np.mean([np.nanmean(t.undiluted) for t in trials] + [np.nanmean(t.kept) for t in trials]))


@pytest.mark.parametrize("collection", BIAS)
@pytest.mark.parametrize("base", ["bm25", "dense"])
def test_dilutions(collection: str, base: str, mined: Callable[[str], Mined], packaged_encoder: FrozenEncoder) -> None:
    found = mined(collection)
    of = measured(found, found.sources[base], packaged_encoder)
    trials = [trial(of, seed) for seed in range(SEEDS)]
    truth = exact_base(of, trials)
    lows: dict[float, list[float]] = {fraction: [] for fraction in (0.0, *FRACTIONS)}
    covered = dict.fromkeys(FRACTIONS, 0)
    gaps: dict[float, list[float]] = {fraction: [] for fraction in FRACTIONS}
    for seed, one in enumerate(trials):
        undiluted = of.sums(one.undiluted).replicates(REPLICATES, seed)
        for fraction in lows:
            shares, realised = one.diluted(fraction)
            interval = percentile_interval(of.sums(shares).replicates(REPLICATES, seed) - undiluted)
            assert interval is not None
            lows[fraction].append(interval[0])
            if fraction:
                covered[fraction] += interval[0] <= realised * (1 - truth) <= interval[1]
                gaps[fraction].append(of.sums(shares).mean() - realised - (1 - realised) * truth)
    bias = {fraction: float(np.mean(some[:OF_MEAN])) for fraction, some in gaps.items()}
    seen = {fraction: sum(low > 0 for low in some) for fraction, some in lows.items()}
    rounded = {fraction: round(gap, 4) for fraction, gap in bias.items()}
    print(f"\n{collection} {base}: base {truth:.4f} bias {rounded} covered {covered} of {SEEDS}, above 0 {seen}")  # noqa: T201
    assert all(abs(gap) <= BIAS[collection] for gap in bias.values())
    assert all(count >= 90 for count in covered.values())
    assert seen[0.1] >= 95
    assert seen[0.0] <= 8
