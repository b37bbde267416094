"""What a miner is to the mining run: it ranks passages for queries and scores single ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from negaudit.mining.passages import Positions
from negaudit.mining.ranking import Ranking


class Ranker(Protocol):
    """Ranks the passages of one mining task for its queries, which go by their number."""

    @property
    def origin(self) -> dict[str, Any]:
        """How negatives come about here, as JSON-ready data: method, parameters, contract, versions."""
        ...

    @property
    def details(self) -> dict[str, Any]:
        """What else there is to say once the ranking is done, as JSON-ready data: what could not be ranked, measured recall."""
        ...

    def rankings(self, numbers: range, depths: Sequence[int]) -> Iterator[Ranking]:
        """Yield for each query the best `depth` passages or more; fewer only where no more can be ranked."""
        ...

    def scores(self, number: int, positions: Positions) -> npt.NDArray[np.float32]:
        """Return the scores of these passages for a query, NaN where there is none."""
        ...

    def closeness(self, positions: Positions, others: Positions) -> npt.NDArray[np.float64] | None:
        """Return the cosines between the embeddings of passages, of shape (positions, others), 0 where one is unusable.

        None where the miner has no embeddings.
        """
        ...
