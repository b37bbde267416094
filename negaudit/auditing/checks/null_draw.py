"""Random passages for each record, drawn apart per query so that their error is one of records and the bootstrap knows it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negaudit.auditing.checks.contract import CannotRunError
from negaudit.auditing.checks.pool import Pool
from negaudit.auditing.checks.sample import INT64, Sample

LEAST = 20  # fewer random passages than this say nothing about a tail


@dataclass(frozen=True)
class NullDraw:
    """`passages` (records, m): numbers of pool passages, distinct within a record."""

    passages: INT64

    @property
    def size(self) -> int:
        """How many passages each record has."""
        return int(self.passages.shape[1])


def draw_null(sample: Sample, pool: Pool, size: int, seed: int) -> NullDraw:
    """Return `size` random passages for each record (all there are, if fewer), by (seed, query): the same in every source.

    A record's positives and its own negatives are left out, so that a negative which is itself a random passage is exchangeable with
    them. Raises CannotRunError where the pool holds too few.
    """
    own = [own_passages(sample, pool, record) for record in range(len(sample.rows))]
    most = min(size, len(pool) - max((len(passages) for passages in own), default=0))
    if most < LEAST:
        found = f"found {max(most, 0)} in {pool.description}"
        raise CannotRunError(f"it needs at least {LEAST} passages that are none of a record's own, {found}")

    drawn = np.empty((len(own), most), np.int64)
    for record, excluded in enumerate(own):
        draws = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed % 2**64, int(sample.keys[record])])))
        drawn[record] = _without(draws, len(pool), excluded, most)
    return NullDraw(drawn)


def _without(draws: np.random.Generator, total: int, excluded: set[int], most: int) -> INT64:
    """Return `most` distinct numbers below `total` that are not excluded, in random order."""
    wanted = most + len(excluded)
    order = _prefix(draws, total, wanted)
    if len(order) < wanted:
        order = draws.permutation(total)
    if excluded:
        order = order[~np.isin(order, np.fromiter(excluded, np.int64))]
    return order[:most]


def _prefix(draws: np.random.Generator, total: int, count: int) -> INT64:
    """Return the first `count` of a random order of `total` numbers, or fewer: draws with repeats taken out, the same and cheaper."""
    found = draws.integers(0, total, 2 * count if 4 * count < total else 0)
    _, first = np.unique(found, return_index=True)
    return np.asarray(found[np.sort(first)][:count], np.int64)


def own_passages(sample: Sample, pool: Pool, record: int) -> set[int]:
    """Return the numbers in the pool of a record's positives and negatives."""
    start, stop = np.searchsorted(sample.record, [record, record + 1])
    numbers = {*sample.positives_of(record).tolist(), *sample.negative[start:stop].tolist()}
    return {found for number in numbers if (found := pool.number.get(sample.texts[number])) is not None}
