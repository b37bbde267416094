"""The passages that a negative is held against: the collection's, else those of the run's own sources."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource

if TYPE_CHECKING:
    from negaudit.encoding.embeddings import Embeddings
    from negaudit.encoding.encoder import FrozenEncoder


@dataclass(frozen=True)
class Pool:
    """Distinct non-empty passages; `ids` may be None. `where` says whose they are, `total` how many they were drawn from."""

    texts: list[str]
    ids: list[str | None]
    where: str
    total: int
    encoder: FrozenEncoder | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each text."""
        return {text: i for i, text in enumerate(self.texts)}

    @cached_property
    def embeddings(self) -> Embeddings | None:
        """One embedding per passage; None without an encoder."""
        return self.encoder.embed(self.texts, "passage") if self.encoder else None

    @cached_property
    def vectors(self) -> npt.NDArray[np.float32]:
        """The unit vectors, (passages, d); raises ValueError without an encoder."""
        if self.embeddings is None:
            raise ValueError("this pool has no encoder")
        return self.embeddings.gather(slice(None))

    @property
    def description(self) -> str:
        """Say in words what the pool is."""
        part = "" if self.total == len(self) else f"{len(self):,} of the "
        return f"{part}{self.total:,} passages of {self.where}"


def pool_of(collection: Collection | None, sources: Iterable[NegativeSource], limit: int, seed: int, encoder: FrozenEncoder | None) -> Pool:
    """Return the pool, at most `limit` passages: those of lowest blake2b(seed, text), so the order of files changes nothing."""
    if collection is not None:
        frame = pl.DataFrame(collection.passages.select(["id", "text"])).with_columns(pl.col("text").cast(pl.String))
        where = f"the collection {collection.name}"
    else:
        frame, where = _passages_of(sources), "the run's own sources"
    frame = frame.unique("text", keep="first", maintain_order=True)
    total = frame.height
    texts, ids = frame["text"].to_list(), frame["id"].to_list()
    ranks = [hashlib.blake2b(f"{seed}\0{text}".encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts]
    order = sorted(range(total), key=ranks.__getitem__)[:limit]
    return Pool([texts[i] for i in order], [ids[i] for i in order], where, total, encoder)


def _passages_of(sources: Iterable[NegativeSource]) -> pl.DataFrame:
    parts = [pl.DataFrame(schema={"id": pl.String, "text": pl.String})]
    for source in sources:
        for batch in source.batches():
            frame = pl.DataFrame(batch)
            negatives = frame.select(pl.col("negatives").explode().struct.unnest()).select("id", "text")
            positives = frame.select(id=pl.col("positive_ids").explode(), text=pl.col("positives").explode())
            parts.append(pl.concat([positives, negatives]).filter(pl.col("text").str.strip_chars() != "").unique())
    return pl.concat(parts)
