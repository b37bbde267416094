"""The means that describe a source: each one line of what is averaged, over pairs or over records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from negaudit.scoring.gates import FLOATS
from negaudit.scoring.pairs import PairChunk


@dataclass(frozen=True)
class Statistic:
    """A mean of `values` over pairs, or over records where `per` says so; `encoded` ones need an encoder.

    `values` returns one number per pair (n,) or per record (number of records in the chunk,).
    """

    name: str
    per: Literal["pair", "record"]
    values: Callable[[PairChunk], FLOATS]
    encoded: bool = True


def _gradient_energy(c: PairChunk) -> FLOATS:
    """(1 - rho)² ‖delta‖² / tau², with ‖v+ - v-‖² = 2 - 2 v+·v- of unit vectors (the paper, appendix B.4)."""
    return (1 - c.rho) ** 2 * np.maximum(2 - 2 * c.cosines.between, 0) / c.tau**2


def _mnrl_proxy(c: PairChunk) -> FLOATS:
    """-log softmax of the positive against the record's own negatives; the paper names this proxy without a formula."""
    differences = (c.cosines.negative - c.cosines.positive) / c.tau
    top = np.maximum(np.maximum.reduceat(differences, c.starts), 0)
    counts = np.diff(np.append(c.starts, len(differences)))
    summed = np.add.reduceat(np.exp(differences - np.repeat(top, counts)), c.starts)
    return np.asarray(top + np.log(summed + np.exp(-top)))


def _ambiguity(c: PairChunk) -> FLOATS:
    return np.maximum.reduceat(c.inverted, c.starts).astype(np.float64)


STATISTICS = (
    Statistic("mean_psi", "pair", lambda c: c.psi, encoded=False),
    Statistic("mean_coverage", "pair", lambda c: c.coverage, encoded=False),
    Statistic("mean_rho", "pair", lambda c: c.rho),
    Statistic("mean_eta", "pair", lambda c: c.eta),
    Statistic("inversion_rate", "pair", lambda c: c.inverted.astype(np.float64)),
    Statistic("ambiguity", "record", _ambiguity),
    Statistic("mnrl_proxy", "record", _mnrl_proxy),
    Statistic("gradient_energy", "pair", _gradient_energy),
    # The paper names margin hardness without a formula; -ln rho is the two-document loss of its appendix B.4.
    Statistic("margin_hardness", "pair", lambda c: c.hardness),
)

# Shares of pairs in a failure bucket (the paper, appendix C.2).
BUCKETS = (
    Statistic("inversion", "pair", lambda c: c.inverted.astype(np.float64)),
    Statistic("low_locality", "pair", lambda c: (c.eta <= 0.25).astype(np.float64)),
    Statistic("high_coverage", "pair", lambda c: (c.coverage >= 0.5).astype(np.float64), encoded=False),
    Statistic("valid_high_coverage", "pair", lambda c: ((c.rho >= 0.75) & (c.eta >= 0.75) & (c.coverage >= 0.5)).astype(np.float64)),
    Statistic("valid_low_locality", "pair", lambda c: ((c.rho >= 0.75) & (c.psi >= 0.75) & (c.eta <= 0.25)).astype(np.float64)),
)


def per_record(statistic: Statistic, values: FLOATS, chunk: PairChunk) -> FLOATS:
    """Return the sum of `values` of each record of `chunk`, what a bootstrap over records draws."""
    return np.add.reduceat(values, chunk.starts) if statistic.per == "pair" else values
