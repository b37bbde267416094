"""The embeddings of a list of texts: rows of the memory-mapped cache, gathered as they are needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Truncation:
    """How many distinct texts were longer than the encoder's maximum, and how many of their tokens it never saw."""

    texts: int
    cut: int
    tokens: int
    tokens_cut: int


@dataclass(frozen=True)
class Embeddings:
    """One embedding per given text, equal texts sharing a row. The vectors stay on disk until they are gathered.

    `usable` is False where the model gave a zero or non-finite vector: such rows come back as they are.
    `tokens` are the texts' lengths before truncation, prefix and special tokens included.
    """

    vectors: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]
    usable: npt.NDArray[np.bool_]
    tokens: npt.NDArray[np.int64]
    max_length: int | None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.vectors.shape[1])

    def gather(self, positions: npt.NDArray[np.integer] | slice) -> npt.NDArray[np.float32]:
        """Return the vectors of the texts at `positions`, float32 of shape (n, dimension), of unit norm where usable."""
        return np.asarray(self.vectors[self.rows[positions]])

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether each text was longer than the encoder's maximum."""
        return self.tokens > self.max_length if self.max_length is not None else np.zeros(len(self.tokens), np.bool_)

    def truncation(self) -> Truncation:
        """Return how much was cut, each distinct text counted once."""
        _, first = np.unique(self.rows, return_index=True)
        tokens, cut = self.tokens[first], self.truncated[first]
        lost = int((tokens[cut] - (self.max_length or 0)).sum())
        return Truncation(len(first), int(cut.sum()), int(tokens.sum()), lost)
