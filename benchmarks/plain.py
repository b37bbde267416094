"""psi the plain way: sets and dictionaries, each distinct text tokenized once, from Parquet to per-pair Parquet."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import regex

TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def score_plainly(source: Path, out: Path) -> float:
    """Write coverage and psi of every pair of `source` to `out` and return mean psi."""
    table = pq.read_table(source, columns=["query_id", "query", "positives", "negatives"])
    query_ids, queries = table["query_id"].to_pylist(), table["query"].to_pylist()
    negatives = table["negatives"].combine_chunks()
    offsets = negatives.offsets.to_pylist()
    ids, texts = (negatives.values.field(name).to_pylist() for name in ("id", "text"))
    tokens: dict[str, frozenset[str]] = {}
    df: Counter[str] = Counter()
    for text in (*texts, *table["positives"].combine_chunks().values.to_pylist()):
        if text not in tokens:
            tokens[text] = _token_set(text)
            df.update(tokens[text])
    documents = len(tokens)
    idf = {token: math.log((documents + 1) / (count + 1)) + 1 for token, count in df.items()}
    unseen = math.log(documents + 1) + 1
    columns: dict[str, list[object]] = {name: [] for name in ("query_id", "negative_index", "negative_id", "coverage", "psi")}
    total = 0.0
    for row, (query_id, query) in enumerate(zip(query_ids, map(_token_set, queries), strict=True)):
        weights = {token: idf.get(token, unseen) for token in query}
        whole = sum(weights.values())
        for at in range(offsets[row], offsets[row + 1] if whole else offsets[row]):
            covered = sum(weights[token] for token in query & tokens[texts[at]]) / whole
            total += 1 - covered
            for name, value in zip(columns, (query_id, at - offsets[row], ids[at], covered, 1 - covered), strict=True):
                columns[name].append(value)
    pq.write_table(pa.table(columns), out, compression="zstd")
    return total / len(columns["psi"])


def _token_set(text: str) -> frozenset[str]:
    return frozenset(TOKEN.findall(unicodedata.normalize("NFKC", text).lower()))
