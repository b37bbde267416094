"""Inverse document frequencies: counted over distinct documents, saved with a run, read back for another."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.atomic import atomic_path
from negaudit.errors import NegauditError

SCHEMA = "negaudit.idf/1"


def idf_values(df: npt.NDArray[np.int64], documents: int) -> npt.NDArray[np.float64]:
    """Return idf(t) = ln((M + 1) / (df(t) + 1)) + 1 for each document frequency, M = `documents` (the paper, appendix B.2).

    Each distinct df goes through math.log once, so a token's idf does not depend on where it stands in an array.
    """
    distinct, where = np.unique(df, return_inverse=True)
    values = np.array([math.log((documents + 1) / (int(count) + 1)) + 1 for count in distinct])
    return values[where] if len(distinct) else np.empty(0)


@dataclass(frozen=True)
class IdfTable:
    """Tokens (sorted by code point) with their document frequencies over `documents` distinct documents.

    `corpus` names what was counted (pooled, source, …); `uniform` tables have no tokens and give every token idf 1.
    """

    tokens: pa.LargeStringArray
    df: npt.NDArray[np.int64]
    documents: int
    tokenizer: str
    corpus: str = "pooled"

    @classmethod
    def counted(cls, frequencies: Mapping[str, int], documents: int, tokenizer: str, corpus: str = "pooled") -> IdfTable:
        """Return the table of these document frequencies."""
        tokens = sorted(frequencies)
        return cls(pa.array(tokens, pa.large_string()), np.array([frequencies[t] for t in tokens], np.int64), documents, tokenizer, corpus)

    @property
    def uniform(self) -> bool:
        """Whether every token weighs 1."""
        return self.corpus == "uniform"

    @cached_property
    def fingerprint(self) -> str:
        """The hex blake2b-128 of all that a psi depends on: tokenizer, M, every token and its df (or uniform)."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(json.dumps([SCHEMA, self.tokenizer, self.uniform, self.documents]).encode())
        digest.update("\n".join(self.tokens.to_pylist()).encode())
        digest.update(self.df.astype("<i8").tobytes())
        return digest.hexdigest()

    def of(self, tokens: pa.LargeStringArray) -> npt.NDArray[np.float64]:
        """Return the idf of each of `tokens`; one that was never counted has df 0."""
        if self.uniform:
            return np.ones(len(tokens))
        import pyarrow.compute as pc

        where = pc.index_in(tokens, value_set=self.tokens)
        df = np.zeros(len(tokens), np.int64)
        known = where.is_valid().to_numpy(zero_copy_only=False)
        df[known] = self.df[where.drop_null().to_numpy()]
        return idf_values(df, self.documents)

    def save(self, path: Path) -> Path:
        """Write the table as Parquet (token, df; M and the rest in the metadata) and return the path."""
        about = {"schema": SCHEMA, "documents": self.documents, "tokenizer": self.tokenizer, "corpus": self.corpus}
        schema = pa.schema(
            [("token", pa.large_string()), ("df", pa.int64())], metadata={b"negaudit": json.dumps(about, sort_keys=True).encode()}
        )
        with atomic_path(path) as temporary:
            pq.write_table(pa.Table.from_arrays([self.tokens, pa.array(self.df)], schema=schema), temporary, compression="zstd")
        return path

    @classmethod
    def load(cls, path: Path) -> IdfTable:
        """Return the table saved at `path` (a file, or a run's folder that holds idf.parquet); raises NegauditError where it is none."""
        path = path / "idf.parquet" if path.is_dir() else path
        try:
            table = pq.read_table(path)
        except (OSError, pa.ArrowException) as error:
            raise NegauditError(f"{path}: no saved IDF table can be read here; give a folder that `negaudit score` wrote") from error
        about = _about(table.schema, path)
        return cls(
            table["token"].cast(pa.large_string()).combine_chunks(),
            table["df"].to_numpy().astype(np.int64),
            int(about["documents"]),
            str(about["tokenizer"]),
            str(about["corpus"]),
        )


def _about(schema: pa.Schema, path: Path) -> dict[str, Any]:
    stored = (schema.metadata or {}).get(b"negaudit")
    try:
        about = json.loads(stored) if stored else {}
    except (ValueError, RecursionError):
        about = {}
    if not isinstance(about, dict) or about.get("schema") != SCHEMA:
        about = about if isinstance(about, dict) else {}
        raise NegauditError(f"{path}: not an IDF table of negaudit (schema {about.get('schema')!r}, expected {SCHEMA!r})")
    return dict(about)
