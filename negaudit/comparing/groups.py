"""Ways to divide the pairs of scored sources: by origin, by place in the list, by rank, by the query's length and first word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.comparing.scored import ScoredSource
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError, unknown_name
from negaudit.text.tokenizers import Tokenizer

CODES = npt.NDArray[np.int64]
NONE = -1
PLACES = (1, 2, 4, 6, 11, 21, 51, 101)  # where each group of places or ranks begins
LENGTHS = (0, 4, 7, 11, 16)
QUESTION_WORDS = ("who", "what", "when", "where", "why", "how", "which", "is", "are", "can", "do", "does", "did")
OTHER = "other"


@dataclass(frozen=True)
class Grouping:
    """`labels` in the order they are shown, and for each source the number of each pair's label, NONE for no group."""

    labels: list[str]
    codes: dict[str, CODES]


@dataclass(frozen=True)
class Texts:
    """A source as it was scored: `queries` (n,) of its scored records, and `ranks` of its scored pairs, 0 where there is none."""

    queries: list[str]
    ranks: CODES


def read_texts(source: ScoredSource, path: Path) -> Texts:
    """Return queries and ranks from the file that was scored; raises NegauditError where it is another one."""
    table = NegativeSource.from_file(path).to_table().combine_chunks()
    stranger = NegauditError(f"{path}: its records are not those that '{source.name}' was scored with; give the file that was scored")
    rows = pa.array(source.rows)
    if int(source.rows.max()) >= table.num_rows or table["query_id"].take(rows).to_pylist() != source.query_ids.to_pylist():
        raise stranger
    negatives = table["negatives"].combine_chunks()
    offsets = negatives.offsets.to_numpy()
    at = offsets[source.rows][source.pairs.record] + source.pairs.negative_index
    if (at >= offsets[source.rows + 1][source.pairs.record]).any():
        raise stranger
    if not pc.fill_null(negatives.values.field("id"), "").take(pa.array(at)).equals(source.negative_ids):
        raise stranger
    ranks = pc.fill_null(negatives.values.field("rank"), 0).to_numpy(zero_copy_only=False)[at]
    return Texts(table["query"].take(rows).to_pylist(), ranks.astype(np.int64))


def by_origin(sources: Mapping[str, ScoredSource]) -> Grouping:
    """Group pairs by the origin of the negative, which in a hybrid are several."""
    labels = sorted({label for source in sources.values() for label in pc.unique(source.origins).to_pylist()})
    found = {name: pc.index_in(s.origins, pa.array(labels, s.origins.type)).to_numpy(zero_copy_only=False) for name, s in sources.items()}
    return Grouping(labels, {name: codes.astype(np.int64) for name, codes in found.items()})


def by_position(sources: Mapping[str, ScoredSource]) -> Grouping:
    """Group pairs by the negative's place in its record's list, 1 the first."""
    return _ranges({name: s.pairs.negative_index.astype(np.int64) + 1 for name, s in sources.items()}, PLACES)


def by_rank(texts: Mapping[str, Texts]) -> Grouping:
    """Group pairs by the rank that the miner gave the negative."""
    return _ranges({name: t.ranks for name, t in texts.items()}, PLACES)


def by_query_length(sources: Mapping[str, ScoredSource], texts: Mapping[str, Texts], tokenizer: Tokenizer) -> Grouping:
    """Group pairs by how many tokens the query has."""
    lengths = {name: np.array([len(tokenizer.tokens(query)) for query in t.queries], np.int64) for name, t in texts.items()}
    return _ranges({name: lengths[name][sources[name].pairs.record] for name in texts}, LENGTHS)


def by_question_word(sources: Mapping[str, ScoredSource], texts: Mapping[str, Texts], tokenizer: Tokenizer) -> Grouping:
    """Group pairs by the query's first token, where it is an English question word."""
    labels = [*QUESTION_WORDS, OTHER]
    number = {label: i for i, label in enumerate(labels)}
    codes = {}
    for name, t in texts.items():
        first = [next(iter(tokenizer.tokens(query)), "") for query in t.queries]
        codes[name] = np.array([number.get(word, number[OTHER]) for word in first], np.int64)[sources[name].pairs.record]
    return Grouping(labels, codes)


def needs_texts(by: str) -> bool:
    """Return whether a built-in grouping needs the files that were scored; raises NegauditError for one that there is not."""
    if by not in BUILT_IN:
        raise unknown_name("slice", by, BUILT_IN)
    return BUILT_IN[by]


# Whether each needs the scored files: a folder of scores holds no texts and no ranks.
BUILT_IN = {"origin": False, "position": False, "rank": True, "query_length": True, "question_word": True}


def built_in(by: str, sources: Mapping[str, ScoredSource], texts: Mapping[str, Texts], tokenizer: Tokenizer) -> Grouping:
    """Return the built-in grouping `by`."""
    makers: dict[str, Callable[[], Grouping]] = {
        "origin": lambda: by_origin(sources),
        "position": lambda: by_position(sources),
        "rank": lambda: by_rank(texts),
        "query_length": lambda: by_query_length(sources, texts, tokenizer),
        "question_word": lambda: by_question_word(sources, texts, tokenizer),
    }
    return makers[by]()


def _ranges(values: Mapping[str, CODES], begins: Sequence[int]) -> Grouping:
    ends = [*(begin - 1 for begin in begins[1:]), None]
    labels = [f"{a}+" if b is None else str(a) if a == b else f"{a}-{b}" for a, b in zip(begins, ends, strict=True)]
    return Grouping(labels, {name: np.searchsorted(np.array(begins), v, side="right") - 1 for name, v in values.items()})
