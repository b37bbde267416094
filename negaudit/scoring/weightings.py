"""The weightings of the residual geometry: one line each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from negaudit.scoring.gates import FLOATS
from negaudit.scoring.pairs import PairChunk

Weighting = Callable[[PairChunk], FLOATS]

# Each returns the weights of a chunk's pairs, all >= 0 (the paper, table 4).
WEIGHTINGS: dict[str, Weighting] = {
    "composite": lambda c: c.rho * c.eta * c.psi,
    "drop_rho": lambda c: c.eta * c.psi,
    "drop_eta": lambda c: c.rho * c.psi,
    "drop_psi": lambda c: c.rho * c.eta,
    "uniform": lambda c: np.ones_like(c.rho),
    "margin_hardness": lambda c: c.hardness,
    "gradient": lambda c: (1 - c.rho) ** 2 * c.eta * c.psi,
    "two_sided": lambda c: c.rho**2 * (1 - c.rho),
    "two_sided_eta": lambda c: c.rho**2 * (1 - c.rho) * c.eta,
    "boundary_psi": lambda c: c.rho * (1 - c.rho) * c.psi,
    "boundary_eta_psi": lambda c: c.rho * (1 - c.rho) * c.eta * c.psi,
    "capped_99": lambda c: c.rho * c.eta * c.psi * (c.rho < 0.99),
    "capped_999": lambda c: c.rho * c.eta * c.psi * (c.rho < 0.999),
}
