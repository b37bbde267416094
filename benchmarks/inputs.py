"""Negative sources of any size, made from real MS MARCO passages with realistic reuse."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from negaudit.data.metadata import SourceMetadata
from negaudit.data.schema import source_schema
from negaudit.data.store import write_batches

NEGATIVES = 10
_PART = 2000


def real_passages(dataset: Path) -> list[str]:
    """Return the texts of a BEIR folder's corpus, in file order."""
    with open(dataset / "corpus.jsonl", encoding="utf-8") as lines:
        return [f"{row.get('title', '')} {row['text']}".strip() for row in map(json.loads, lines)]


def spliced(passages: list[str], number: int) -> str:
    """Return passage `number` of an endless supply: the front of one real passage and the back of another, so all have real words."""
    count = len(passages)
    front, back = passages[number % count], passages[(number * 7 + number // count + 1) % count]
    return f"{front[: front.find(' ', len(front) // 2)]} {back[back.find(' ', len(back) // 2) + 1 :]} {number}"


def write_input(passages: list[str], path: Path, *, distinct: int, pairs: int, seed: int = 42) -> Path:
    """Write a source of `pairs` negatives, ten per query, drawn from `distinct` passages, and return its path.

    Every passage occurs pairs / distinct times; a positive is a passage of the same supply, a query a few words of it.
    """
    metadata = SourceMetadata("benchmark")
    return write_batches(_batches(passages, distinct, pairs // NEGATIVES, random.Random(seed)), metadata, path)


def _batches(passages: list[str], distinct: int, queries: int, rng: random.Random) -> Iterator[pa.RecordBatch]:
    """Yield the records in parts; consecutive numbers modulo a prime-like stride give each passage the same number of uses."""
    stride = next(s for s in range(distinct // 3 | 1, distinct) if _coprime(s, distinct))
    for start in range(0, queries, _PART):
        rows = [_record(passages, distinct, stride, i, rng) for i in range(start, min(queries, start + _PART))]
        yield pa.RecordBatch.from_pylist(rows, schema=source_schema())


def _record(passages: list[str], distinct: int, stride: int, i: int, rng: random.Random) -> dict[str, object]:
    numbers = [(i * NEGATIVES + j) * stride % distinct for j in range(NEGATIVES)]
    positive = numbers[rng.randrange(NEGATIVES)] + 1
    words = spliced(passages, positive % distinct).split()
    begin = rng.randrange(max(1, len(words) - 8))
    fields = {"rank": None, "score": None, "origin": "benchmark"}
    negatives = [{"id": str(n), "text": spliced(passages, n), **fields} for n in numbers]
    text = spliced(passages, positive % distinct)
    query = " ".join(words[begin : begin + rng.randrange(4, 9)])
    return {"query_id": f"q{i}", "query": query, "positive_ids": [str(positive)], "positives": [text], "negatives": negatives}


def _coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1
