"""95 % intervals by a bootstrap over records, paired over queries and blind to row order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

FLOATS = npt.NDArray[np.float64]
LEVEL = (0.025, 0.975)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_POISSON = np.cumsum([np.exp(-1.0) / float(np.prod(np.arange(1, k + 1))) for k in range(12)])


def replicate_sums(keys: npt.NDArray[np.uint64], sums: FLOATS, replicates: int, seed: int) -> FLOATS:
    """Return the weighted sums (replicates, columns) of per-record `sums` (n, columns) under Poisson(1) record weights.

    A weight is a function of (seed, record key, replicate) alone, so a query weighs the same in every source that has it, and
    records of one query are drawn together. Terms are added as integers, so the order of records changes no bit.
    """
    scale = _scales(sums)
    fixed = np.rint(sums * scale).astype(np.int64)
    totals = _weighted(keys, fixed, replicates, np.uint64(seed % 2**64), _POISSON)
    return np.asarray(totals, np.float64) / scale


def percentile_interval(replicates: FLOATS) -> tuple[float, float] | None:
    """Return the 2.5 and 97.5 % quantiles of the replicates that have a value; None where none has."""
    drawn = replicates[np.isfinite(replicates)]
    if not len(drawn):
        return None
    low, high = np.quantile(drawn, LEVEL)
    return float(low), float(high)


def _scales(sums: FLOATS) -> FLOATS:
    """Return per column the power of two that turns sums into integers whose weighted total fits 63 bits (weights are below 12)."""
    total = np.array([math.fsum(column) for column in np.abs(sums).T])
    bits = 62 - 4 - np.ceil(np.log2(np.maximum(total, 1.0))).astype(np.int64)
    return np.asarray(np.exp2(np.minimum(bits, 52).astype(np.float64)))


@njit(cache=True, nogil=True, inline="always")
def _mixed(z: Any) -> Any:
    """Return the SplitMix64 output for the state `z`."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def _weighted(keys: Any, fixed: Any, replicates: int, seed: Any, poisson: Any) -> Any:
    """Sum the integer rows of `fixed` under Poisson(1) weights that SplitMix64 draws from (seed, key, replicate)."""
    totals = np.zeros((replicates, fixed.shape[1]), np.int64)
    for i in range(len(keys)):
        state = _mixed(keys[i] ^ _mixed(seed + _GOLDEN))  # mixed first, so that keys in a pattern start at unrelated states
        for b in range(replicates):
            state += _GOLDEN
            uniform = np.float64(_mixed(state) >> np.uint64(11)) * 2.0**-53
            weight = 0
            while weight < len(poisson) - 1 and uniform >= poisson[weight]:
                weight += 1
            if weight:
                for column in range(fixed.shape[1]):
                    totals[b, column] += weight * fixed[i, column]
    return totals


@njit(cache=True, nogil=True)
def record_weight(key: Any, replicate: int, seed: Any, poisson: Any) -> Any:
    """Return the weight that `replicate_sums` gives a record in one replicate, for statistics that are no sums over records.

    `poisson` is POISSON, handed in since a compiled function keeps no tables of its own; `seed` is an unsigned 64-bit number.
    """
    state = _mixed(key ^ _mixed(seed + _GOLDEN)) + np.uint64(replicate + 1) * _GOLDEN
    uniform = np.float64(_mixed(state) >> np.uint64(11)) * 2.0**-53
    weight = 0
    while weight < len(poisson) - 1 and uniform >= poisson[weight]:
        weight += 1
    return weight


POISSON = _POISSON
