"""psi the plain way: sets and dictionaries, each distinct text tokenized once, from Parquet to per-pair Parquet."""

from __future__ import annotations

import math
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import regex

TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def score_plainly(source: Path, out: Path) -> float:
    """Write coverage and psi of every pair of `source` to `out` and return mean psi."""
    rows = pq.read_table(source, columns=["query_id", "query", "positives", "negatives"]).to_pylist()
    tokens: dict[str, frozenset[str]] = {}

    def token_set(text: str) -> frozenset[str]:
        found = tokens.get(text)
        if found is None:
            found = tokens[text] = frozenset(TOKEN.findall(unicodedata.normalize("NFKC", text).lower()))
        return found

    df: Counter[str] = Counter()
    documents = 0
    for row in rows:
        for text in (*row["positives"], *(negative["text"] for negative in row["negatives"])):
            if text not in tokens:
                documents += 1
                df.update(token_set(text))
    idf = {token: math.log((documents + 1) / (count + 1)) + 1 for token, count in df.items()}
    unseen = math.log(documents + 1) + 1
    columns: dict[str, list[object]] = {name: [] for name in ("query_id", "negative_index", "negative_id", "coverage", "psi")}
    for row in rows:
        query = token_set(row["query"])
        whole = sum(idf.get(token, unseen) for token in query)
        for at, negative in enumerate(row["negatives"]):
            covered = sum(idf.get(token, unseen) for token in query & tokens[negative["text"]]) / whole if whole else 0.0
            for name, value in zip(columns, (row["query_id"], at, negative["id"], covered, 1 - covered), strict=True):
                columns[name].append(value)
    table = pa.table(columns)
    pq.write_table(table, out, compression="zstd")
    psi = columns["psi"]
    return math.fsum(psi) / len(psi)  # type: ignore[arg-type]


if __name__ == "__main__":
    print(score_plainly(Path(sys.argv[1]), Path(sys.argv[2])))
