"""The scored pairs of a chunk of records, and the Parquet file that takes them in source order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from negaudit.scoring.gates import BOOLS, FLOATS, Similarities, eta, inverted, rho, softplus


@dataclass(frozen=True)
class PairChunk:
    """The pairs of whole records, in source order: `record` (row in the source) and `negative_index` say which, `coverage` in [0, 1].

    With an encoder also `similarity`, and `directed`: whether the residual is a unit vector rather than 0.
    """

    record: npt.NDArray[np.int64]
    negative_index: npt.NDArray[np.int32]
    coverage: FLOATS
    tau: float
    similarity: Similarities | None = None
    directed: BOOLS | None = None

    @property
    def psi(self) -> FLOATS:
        """Lexical residuality 1 - C."""
        return 1 - self.coverage

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """Return the position of each record's first pair."""
        return np.flatnonzero(np.diff(self.record, prepend=-1))

    @cached_property
    def cosines(self) -> Similarities:
        """Return the similarities; raises ValueError for a chunk that was scored without an encoder."""
        if self.similarity is None:
            raise ValueError("this chunk was scored without an encoder")
        return self.similarity

    @cached_property
    def rho(self) -> FLOATS:
        """Positive preference."""
        return rho(self.cosines, self.tau)

    @cached_property
    def eta(self) -> FLOATS:
        """Passage locality."""
        return eta(self.cosines, self.tau)

    @cached_property
    def inverted(self) -> BOOLS:
        """Whether the negative outranks the positive."""
        return inverted(self.cosines)

    @cached_property
    def hardness(self) -> FLOATS:
        """Margin hardness softplus((u·v- - u·v+) / tau) = -ln rho."""
        return softplus((self.cosines.negative - self.cosines.positive) / self.tau)

    @cached_property
    def residual_norm(self) -> FLOATS:
        """1 where the residual has a direction, else 0."""
        if self.directed is None:
            raise ValueError("this chunk was scored without an encoder")
        return self.directed.astype(np.float64)


LEXICAL = [("record", pa.int64()), ("query_id", pa.string()), ("negative_index", pa.int32()), ("negative_id", pa.string())]
LEXICAL += [("origin", pa.string()), ("coverage", pa.float64()), ("psi", pa.float64())]
ENCODED = [(name, pa.float64()) for name in ("s_pos", "s_neg", "s_posneg", "rho", "eta")]
ENCODED += [("residual_norm", pa.float64()), ("inverted", pa.bool_())]


def pair_schema(*, encoded: bool) -> pa.Schema:
    """Return the schema of a per-pair file, with or without the encoder's columns."""
    return pa.schema(LEXICAL + ENCODED if encoded else LEXICAL)


def pair_table(chunk: PairChunk, query_ids: pa.Array, negative_ids: pa.Array, origins: pa.Array) -> pa.Table:
    """Return the rows of a per-pair file for `chunk`; the three arrays name each pair's query, negative and origin."""
    columns = [chunk.record, query_ids, chunk.negative_index, negative_ids, origins, chunk.coverage, chunk.psi]
    if chunk.similarity is not None:
        s = chunk.similarity
        columns += [s.positive, s.negative, s.between, chunk.rho, chunk.eta, chunk.residual_norm, chunk.inverted]
    schema = pair_schema(encoded=chunk.similarity is not None)
    return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
