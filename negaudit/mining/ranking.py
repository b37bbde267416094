"""A query's ranking: the best passages in order, exact at the cut, ties by id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negaudit.mining.passages import Positions


@dataclass(frozen=True, slots=True)
class Ranking:
    """The top of a query's ranking: passage positions and float32 scores, best first, equal scores by id.

    No passage left out precedes one that is there, so places in it are places in the full ranking.
    """

    positions: Positions
    scores: npt.NDArray[np.float32]


def ranked(positions: Positions, scores: npt.NDArray[np.floating], id_order: Positions) -> Ranking:
    """Return these passages as a ranking, ordered by the float32 score that is written down, then by id."""
    written = scores.astype(np.float32)
    order = np.lexsort((id_order[positions], -written))
    return Ranking(positions[order], written[order])
