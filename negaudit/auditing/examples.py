"""examples.parquet: a few flagged negatives of each source and check with their texts, for people to read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.auditing.checks.sample import Sample
from negaudit.auditing.run_checks import CheckedSource
from negaudit.data.atomic import atomic_path
from negaudit.text.folding import normalised
from negaudit.text.tokenizers import WORD, Tokenizer

FILE = "examples.parquet"
MOST = 20
_SPANS = pa.list_(pa.struct([("start", pa.int32()), ("end", pa.int32())]))
SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("check", pa.string()),
        ("record", pa.int64()),
        ("query_id", pa.string()),
        ("negative_index", pa.int32()),
        ("negative_id", pa.string()),
        ("origin", pa.string()),
        ("value", pa.float64()),
        ("query", pa.string()),
        ("positive", pa.string()),
        ("negative", pa.string()),
        ("query_covered", _SPANS),  # the words of the query that the negative has, in characters of the query
        ("negative_covered", _SPANS),  # and where they stand in the negative
    ]
)


def examples(checked: CheckedSource, tokenizer: Tokenizer, seed: int) -> Iterator[dict[str, Any]]:
    """Yield rows of SCHEMA: of what each check flagged, at most MOST picked at random by (seed, check, query, position).

    A random pick shows what the flags are like; the most extreme ones would show what the worst are like.
    """
    sample = checked.sample
    for name, outcome in checked.outcomes.items():
        if outcome.finding is None:
            continue
        at = np.flatnonzero(outcome.finding.flags).tolist()
        picked = sorted(at, key=lambda place: _rank(seed, name, sample, place))[:MOST]
        yield from (_row(name, float(outcome.finding.values[place]), sample, place, tokenizer) for place in picked)


def write_examples(rows: list[dict[str, Any]], folder: Path) -> None:
    """Write FOLDER/examples.parquet."""
    with atomic_path(folder / FILE) as temporary:
        pq.write_table(pa.Table.from_pylist(rows, SCHEMA), temporary, compression="zstd")


def covered_spans(text: str, other: str, tokenizer: Tokenizer) -> list[dict[str, int]]:
    """Return the spans of `text`'s words that hold a token of `other`: what coverage counts, made visible."""
    asked = set(tokenizer.tokens(other))
    found = [match.span() for match in WORD.finditer(text) if asked & {normalised(match.group()), *tokenizer.tokens(match.group())}]
    return [{"start": start, "end": end} for start, end in found]


def _row(check: str, value: float, sample: Sample, place: int, tokenizer: Tokenizer) -> dict[str, Any]:
    record, negative = int(sample.record[place]), sample.negatives[place]
    query = sample.queries[record]
    return {
        "source": sample.name,
        "check": check,
        "record": int(sample.rows[record]),
        "query_id": sample.query_ids[record],
        "negative_index": int(sample.negative_index[place]),
        "negative_id": negative.id,
        "origin": negative.origin,
        "value": value,
        "query": query,
        "positive": sample.texts[sample.first_positive[record]],
        "negative": negative.text,
        "query_covered": covered_spans(query, negative.text, tokenizer),
        "negative_covered": covered_spans(negative.text, query, tokenizer),
    }


def _rank(seed: int, check: str, sample: Sample, place: int) -> bytes:
    key = f"{seed}\0{check}\0{sample.query_ids[int(sample.record[place])]}\0{sample.negative_index[place]}"
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
