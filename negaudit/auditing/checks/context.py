"""What a check may ask for: one source's sample and, made when first asked for, vectors, similarities, words and random passages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from negaudit.auditing.check_profile import CheckProfile
from negaudit.auditing.checks.contract import FLOATS, CannotRunError
from negaudit.auditing.checks.null_draw import NullDraw, draw_null
from negaudit.auditing.checks.pool import Pool
from negaudit.auditing.checks.sample import INT64, Sample
from negaudit.auditing.checks.words import Words
from negaudit.data.collection import Collection
from negaudit.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from negaudit.encoding.embeddings import Embeddings
    from negaudit.encoding.encoder import FrozenEncoder

CHUNK = 8192
VECTORS = npt.NDArray[np.float32]


@dataclass(frozen=True)
class CheckContext:
    """One source under check. `pool_maker` makes the passages of the run; `shared` keeps what checks computed for all of its sources."""

    sample: Sample
    pool_maker: Callable[[], Pool]
    profile: CheckProfile
    tokenizer: Tokenizer
    encoder: FrozenEncoder | None = None
    collection: Collection | None = None
    tau: float = 0.05
    seed: int = 42
    lexical: bool = True
    shared: dict[str, Any] = field(default_factory=dict)

    @property
    def pool(self) -> Pool:
        """The passages of the collection, else of the run's own sources."""
        return self.pool_maker()

    @cached_property
    def embeddings(self) -> Embeddings:
        """One embedding per text of the sample; raises CannotRunError without an encoder."""
        return self._encoder.embed(self.sample.texts, "passage")

    @cached_property
    def passages(self) -> VECTORS:
        """Unit vectors of the sample's texts, (texts, d)."""
        return self.embeddings.gather(slice(None))

    @cached_property
    def queries(self) -> VECTORS:
        """Unit vectors of the queries, (records, d)."""
        return self._encoder.embed(self.sample.queries, "query").gather(slice(None))

    @property
    def _encoder(self) -> FrozenEncoder:
        if self.encoder is None:
            raise CannotRunError("it needs an encoder; give --encoder")
        return self.encoder

    @cached_property
    def s_pos(self) -> FLOATS:
        """u·v+ of each negative's record and first positive, (negatives,)."""
        first = self.sample.first_positive
        return cosines(self.queries, self.passages, np.arange(len(first)), first)[self.sample.record]

    @cached_property
    def s_neg(self) -> FLOATS:
        """u·v- of each negative; NaN where it is empty or has no usable vector, the positive's own value where the texts are equal."""
        found = cosines(self.queries, self.passages, self.sample.record, self.sample.negative)
        return np.where(self._comparable, np.where(self.is_first_positive, self.s_pos, found), np.nan)

    @cached_property
    def s_posneg(self) -> FLOATS:
        """v+·v- of each negative; NaN as s_neg, 1 where the texts are equal."""
        sample = self.sample
        found = cosines(self.passages, self.passages, sample.first_positive[sample.record], sample.negative)
        return np.where(self._comparable, np.where(self.is_first_positive, 1.0, found), np.nan)

    @cached_property
    def is_first_positive(self) -> npt.NDArray[np.bool_]:
        """Whether each negative's text is exactly that of the first positive."""
        return np.asarray(self.sample.first_positive[self.sample.record] == self.sample.negative)

    @cached_property
    def _comparable(self) -> npt.NDArray[np.bool_]:
        usable = self.embeddings.usable
        good = self.sample.present & usable[self.sample.negative]
        queries = self._encoder.embed(self.sample.queries, "query").usable
        return np.asarray(good & usable[self.sample.first_positive[self.sample.record]] & queries[self.sample.record])

    @cached_property
    def words(self) -> Words:
        """Token lists of queries, sample texts and pool, with idf over the pool."""
        return Words.of(self.sample.queries, self.sample.texts, self.pool.texts, self.tokenizer)

    @cached_property
    def null(self) -> NullDraw:
        """Random pool passages for each record, none of its own passages among them."""
        return draw_null(self.sample, self.pool, int(self.profile.of("unrelated")["passages"]), self.seed)


def cosines(left: VECTORS, right: VECTORS, left_rows: INT64, right_rows: INT64) -> FLOATS:
    """Return the products of row pairs, (n,), a chunk at a time."""
    found = np.empty(len(left_rows))
    for start in range(0, len(left_rows), CHUNK):
        span = slice(start, start + CHUNK)
        found[span] = np.einsum("ij,ij->i", left[left_rows[span]].astype(np.float64), right[right_rows[span]].astype(np.float64))
    return found
