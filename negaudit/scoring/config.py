"""What a scoring run is set to, and the hash that says whether two runs are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from negaudit.errors import NegauditError

SAMPLE = 25_000


@dataclass(frozen=True, slots=True)
class ScoreConfig:
    """Settings that numbers depend on: `sample` records per source (None: all), `tau` of the gates, `replicates` of the bootstrap."""

    tokenizer: str = "alnum"
    idf: str = "pooled"
    tau: float = 0.05
    sample: int | None = SAMPLE
    seed: int = 42
    replicates: int = 1000

    def __post_init__(self) -> None:
        if not 0 < self.tau < float("inf"):
            raise NegauditError(f"tau must be a positive number, got {self.tau}")
        if self.sample is not None and self.sample < 1:
            raise NegauditError(f"sample must be 'all' or at least 1, got {self.sample}")
        if self.replicates < 0:
            raise NegauditError(f"replicates must be 0 (no intervals) or more, got {self.replicates}")

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-ready data."""
        return {**asdict(self), "sample": "all" if self.sample is None else self.sample}


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Return the hex blake2b-64 of settings, whatever the order of their keys."""
    return hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=8).hexdigest()
