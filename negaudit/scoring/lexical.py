"""The lexical side of a run: which documents the idf is counted over, and psi of any of its pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.indexing import RunIndex
from negaudit.scoring.number_lists import INT32, distinct_numbers
from negaudit.text.corpus_idf import corpus_table
from negaudit.text.idf import IdfTable
from negaudit.text.vocabulary import TokenLists

FLOATS = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lexicon:
    """The idf tables of a run: one for all sources (under the name "") or one per source, and what identifies them."""

    idf: str
    tables: Mapping[str, IdfTable]

    def table(self, source: str) -> IdfTable:
        """Return the table that holds for `source`."""
        return self.tables[source] if source in self.tables else self.tables[""]

    def save(self, out: Path) -> None:
        """Write DIR/idf.parquet, or DIR/SOURCE/idf.parquet each where every source has a table of its own."""
        for name, table in self.tables.items():
            table.save(out / name / "idf.parquet")

    @property
    def documents(self) -> int:
        """M of the shared table; of per-source tables the largest."""
        return max(table.documents for table in self.tables.values())

    @property
    def fingerprint(self) -> str:
        """What two runs must share for their psi to compare."""
        if set(self.tables) == {""}:
            return self.tables[""].fingerprint
        parts = [f"{name}={table.fingerprint}" for name, table in sorted(self.tables.items())]
        return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def lexicon(index: RunIndex, controls: set[str], idf: str, tokenizer: str) -> Lexicon:
    """Return the idf tables of the run for the corpus named `idf`; sources in `controls` add no documents.

    Raises NegauditError for an unknown corpus, a saved table of another tokenizer, and a run with nothing to count.
    """
    if idf.startswith("saved:"):
        saved = IdfTable.load(Path(idf.removeprefix("saved:")))
        if saved.tokenizer != tokenizer:
            raise NegauditError(f"--idf {idf}: was counted with tokenizer '{saved.tokenizer}', this run uses '{tokenizer}'; use the same")
        return Lexicon(idf, {"": saved})
    if idf.startswith("corpus:"):
        return Lexicon(idf, {"": corpus_table(Path(idf.removeprefix("corpus:")), tokenizer)})
    if idf not in CORPORA:
        raise unknown_name("idf corpus", idf, [*CORPORA, "corpus:PATH", "saved:DIR"])
    documents = CORPORA[idf](index, controls)
    if idf != "uniform" and not all(len(numbers) for numbers in documents.values()):
        raise NegauditError(
            f"--idf {idf}: there is no document to count, since every source is a control; add the source they were made from"
        )
    return Lexicon(idf, {name: _counted(index, numbers, tokenizer, idf) for name, numbers in documents.items()})


def _pooled(index: RunIndex, controls: set[str]) -> dict[str, INT32]:
    parts = [source.documents for name, source in index.sources.items() if name not in controls]
    return {"": distinct_numbers(parts, len(index.tokens))}


def _pooled_query(index: RunIndex, controls: set[str]) -> dict[str, INT32]:
    queries = [source.queries for name, source in index.sources.items() if name not in controls]
    return {"": distinct_numbers([_pooled(index, controls)[""], *queries], len(index.tokens))}


def _each_source(index: RunIndex, _: set[str]) -> dict[str, INT32]:
    return {name: source.documents for name, source in index.sources.items()}


def _none(*_: object) -> dict[str, INT32]:
    return {"": np.empty(0, np.int32)}


CORPORA: dict[str, Callable[[RunIndex, set[str]], dict[str, INT32]]] = {
    "pooled": _pooled,
    "pooled+query": _pooled_query,
    "source": _each_source,
    "uniform": _none,
}


def _counted(index: RunIndex, numbers: INT32, tokenizer: str, corpus: str) -> IdfTable:
    """Count in how many of the distinct texts `numbers` each token occurs."""
    from negaudit.text.token_kernel import document_frequencies

    df = document_frequencies(numbers, index.tokens.ids, index.tokens.offsets, len(index.vocabulary))
    found = np.flatnonzero(df)
    tokens = index.vocabulary.select(found)
    order = pc.array_sort_indices(tokens)
    return IdfTable(tokens.take(order), df[found][order.to_numpy()], len(numbers), tokenizer, corpus)


class PairCoverage:
    """Coverage of any pair of the run by text numbers, under one idf table."""

    def __init__(self, index: RunIndex, table: IdfTable) -> None:
        self._tokens = index.tokens
        self._idf = table.of(index.vocabulary.select(np.arange(len(index.vocabulary))))
        self._queries = _in_code_point_order(index)
        self._place = np.full(max(1, len(index.vocabulary)), -1, np.int64)

    def of(self, queries: INT32, negatives: INT32) -> FLOATS:
        """Return C(q, n) in [0, 1] of each pair of text numbers; every query must have a token (the paper, section 4.1)."""
        from negaudit.text.coverage_kernel import coverage

        lists = (self._queries.ids, self._queries.offsets, self._tokens.ids, self._tokens.offsets)
        return np.asarray(coverage(queries, negatives, self._idf, *lists, self._place))


def _in_code_point_order(index: RunIndex) -> TokenLists:
    """Return T(x) of the texts that are queries, each in code-point order; other texts get empty lists."""
    queries = distinct_numbers([source.queries for source in index.sources.values()], len(index.tokens))
    ids, owner = index.tokens.of(queries)
    used = np.flatnonzero(np.bincount(ids, minlength=1))
    order = pc.array_sort_indices(index.vocabulary.select(used)).to_numpy()
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    ids = ids[np.lexsort((rank[np.searchsorted(used, ids)], owner))]
    counts = np.zeros(len(index.tokens), np.int64)
    counts[queries] = index.tokens.counts()[queries]
    return TokenLists(ids, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
