"""The encoder contract: everything that fixes an encoder's numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from negaudit.errors import unknown_name

Kind = Literal["query", "passage"]
Precision = Literal["fp32", "bf16", "fp16"]
Similarity = Literal["cosine", "dot"]
SIMILARITIES: tuple[Similarity, ...] = ("cosine", "dot")


def checked_similarity(name: str) -> Similarity:
    """Return the similarity of this name; raises NegauditError where there is none."""
    for known in SIMILARITIES:
        if name == known:
            return known
    raise unknown_name("similarity", name, SIMILARITIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderContract:
    """What must be equal for two embeddings to be comparable.

    `model` is a hub id or a folder's name, never a path, so that results are the same bytes on every machine;
    `weights` the hex digest of the model's files; `max_length` counts tokens, prefix and special tokens included (None: no limit);
    `dims` the leading dimensions kept (None: all) and `dimension` the length of the vectors that result.
    """

    model: str
    weights: str
    query_prefix: str
    passage_prefix: str
    pooling: str
    max_length: int | None
    dimension: int
    similarity: Similarity = "cosine"
    dims: int | None = None
    dtype: Precision = "fp32"

    def prefix(self, kind: Kind) -> str:
        """Return what is put before a text of this kind."""
        return self.query_prefix if kind == "query" else self.passage_prefix

    def as_dict(self) -> dict[str, Any]:
        """Return the contract as JSON-ready data."""
        return asdict(self)

    def fingerprint(self) -> str:
        """Return 32 hex digits over all but the model's name: the weights' digest says which model it is, under any name."""
        body = {key: value for key, value in asdict(self).items() if key != "model"}
        return hashlib.blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=16).hexdigest()
