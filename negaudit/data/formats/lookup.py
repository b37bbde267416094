"""The texts and judgements behind ids: what an id-only file needs besides itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from negaudit.data.collection import Collection
from negaudit.data.formats.parsed import Lost
from negaudit.data.parquet_collection import parquet_qrels
from negaudit.data.qrels import read_qrels
from negaudit.data.text_column import TextColumn
from negaudit.data.texts import read_texts
from negaudit.errors import NegauditError


class TextById:
    """Texts by id over one Arrow table of (id, text), so that a large corpus stays Arrow's, in memory or mapped."""

    def __init__(self, table: pa.Table) -> None:
        self._texts = TextColumn(table["text"])
        self._rows = {identifier: row for row, identifier in enumerate(table["id"].to_pylist())}

    def get(self, identifier: str) -> str | None:
        """Return the text with this id, None where there is none."""
        row = self._rows.get(identifier)
        return None if row is None else self._texts[row]


@dataclass(frozen=True)
class Lookup:
    """Passages and queries by id and judgements, each None where it was not given; and how a run is cut (see trec_run).

    `k` is how many passages of a run are kept per query (None: all), `ranks` the band of ranks they come from.
    """

    passages: TextById | None = None
    queries: TextById | None = None
    judgements: pa.Table | None = None
    min_relevance: int = 1
    k: int | None = None
    ranks: tuple[int, int] | None = None
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, collection: Collection) -> Lookup:
        """Return the lookup over a whole collection."""
        passages, queries = TextById(collection.passages), TextById(collection.queries)
        return cls(passages, queries, collection.judgements, fingerprints=collection.fingerprints)

    @classmethod
    def from_files(cls, corpus: Path | None = None, queries: Path | None = None, qrels: Path | None = None) -> Lookup:
        """Return the lookup over those files that are given; raises NegauditError where one is missing or malformed."""
        return cls(
            TextById(read_texts(corpus, "passage").table) if corpus else None,
            TextById(read_texts(queries, "query").table) if queries else None,
            (parquet_qrels(qrels) if qrels.suffix == ".parquet" else read_qrels(qrels)) if qrels else None,
        )

    @cached_property
    def relevant(self) -> Mapping[str, Sequence[str]]:
        """The ids judged at least `min_relevance` of each query, highest grade first, then in line order."""
        judged: dict[str, list[tuple[int, str]]] = {}
        if self.judgements is not None:
            columns = (self.judgements[name].to_pylist() for name in ("query_id", "passage_id", "grade"))
            for query_id, passage_id, grade in zip(*columns, strict=True):
                if grade >= self.min_relevance:
                    judged.setdefault(query_id, []).append((-grade, passage_id))
        return {
            query_id: list(dict.fromkeys(passage for _, passage in sorted(pairs, key=lambda pair: pair[0])))
            for query_id, pairs in judged.items()
        }

    def query(self, query_id: str) -> str | None:
        """Return the text of a query, None where it is unknown."""
        return self.queries.get(query_id) if self.queries else None

    def known(self, ids: Sequence[str], role: str) -> tuple[list[str], list[str], list[Lost]]:
        """Return (ids, texts) of those passages that are known, and the others as lost (`unknown_passage`)."""
        texts = [self.passages.get(identifier) if self.passages else None for identifier in ids]
        kept = [(identifier, text) for identifier, text in zip(ids, texts, strict=True) if text is not None]
        lost = [Lost(role, "unknown_passage", identifier) for identifier, text in zip(ids, texts, strict=True) if text is None]
        return [identifier for identifier, _ in kept], [text for _, text in kept], lost

    def check(self, needs: Sequence[str], path: Path, name: str) -> None:
        """Raise NegauditError unless all that a format needs is there."""
        options = {"passages": "--corpus", "queries": "--queries", "judgements": "--qrels"}
        missing = [options[what] for what in needs if getattr(self, what) is None]
        if missing:
            raise NegauditError(f"{path}: a file of ids ({name}) needs the collection they are of: give --dataset, or {', '.join(missing)}")
