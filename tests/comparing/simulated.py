"""Scored sources drawn from known laws, in memory and as folders that `score` could have written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.comparing.record_sums import record_sums
from negaudit.comparing.scored import ScoredSource
from negaudit.scoring.gates import Similarities
from negaudit.scoring.indexing import query_keys
from negaudit.scoring.pairs import PairChunk, pair_schema, pair_table

TAU = 0.05


def pairs_of(record: np.ndarray, psi: np.ndarray, rho: np.ndarray, between: np.ndarray | None = None) -> PairChunk:
    """Return pairs with the given psi and rho, which cosines are made for; `between` is v+·v-."""
    s_pos = np.full(len(rho), 0.5)
    s_neg = s_pos - TAU * (np.log(rho) - np.log1p(-rho))
    starts = np.flatnonzero(np.diff(record, prepend=-1))
    index = (np.arange(len(record)) - starts[record]).astype(np.int32)
    similarity = Similarities(s_pos, s_neg, s_pos if between is None else between)
    return PairChunk(record, index, 1 - psi, TAU, similarity, np.ones(len(rho), np.bool_))


def source_of(name: str, pairs: PairChunk, query_ids: list[str], role: str = "candidate", key: np.ndarray | None = None) -> ScoredSource:
    """Return a source of these pairs, records in the order of their queries' hashes as a loaded one has them."""
    keys = query_keys(query_ids) if key is None else key
    records, negatives = ({"read": n, "valid": n, "scored": n, "rejected": {}} for n in (len(query_ids), len(pairs.record)))
    body = {"role": role, "records": records, "negatives": negatives, "intervals": {}, "eci": {}}
    words = pa.array([name] * len(pairs.record))
    return ScoredSource(name, body, keys, pa.array(query_ids), np.arange(len(keys)), pairs, words, words)


def three_sources(
    rng: np.random.Generator, records: int, k: int = 10, gap: float = 0.0, *, flat: bool = False, shuffle_psi: bool = False
) -> dict[str, ScoredSource]:
    """Return BM25, Dense and LLM over the same queries: psi differs in law, rho given psi does not, except for `gap` in LLM's favour.

    rho rises with psi (unless `flat`) and a query's pairs have a level in common, so that pairs are no independent draws.
    """
    keys = np.sort(rng.integers(0, 2**63, records, dtype=np.uint64))
    query_ids = [f"q{i}" for i in range(records)]
    record = np.repeat(np.arange(records), k)
    level = rng.uniform(-0.1, 0.1, records)
    made = {}
    for name, (a, b) in {"BM25": (2.0, 5.0), "Dense": (2.5, 4.0), "LLM": (4.0, 3.5)}.items():
        psi = rng.beta(a, b, records * k)
        curve = np.full(len(psi), 0.5) if flat else 0.3 + 0.4 * psi**2
        rho = curve + level[record] + rng.uniform(-0.1, 0.1, len(psi)) + (gap if name == "LLM" else 0.0)
        made[name] = source_of(name, pairs_of(record, psi, rho), query_ids, key=keys)
    return made


def write_folder(folder: Path, sources: Mapping[str, ScoredSource], order: np.random.Generator | None = None) -> Path:
    """Write what `score` would have left of `sources`; with `order`, the records in another order."""
    bodies = {}
    for name, source in sources.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        words = source.query_ids.take(pa.array(source.pairs.record))
        table = pair_table(source.pairs, words, source.negative_ids, source.origins)
        if order is not None:
            moved = np.argsort(order.permutation(len(source.key))[source.pairs.record], kind="stable")
            table = table.take(pa.array(moved))
            counts = np.flatnonzero(np.diff(table["record"].to_numpy(), prepend=-1))
            table = table.set_column(0, "record", pa.array(np.cumsum(np.isin(np.arange(len(table)), counts)) - 1))
        pq.write_table(table.cast(pair_schema(encoded=source.encoded)), folder / name / "negatives.parquet")
        bodies[name] = dict(source.body) | {s: mean for s, mean in record_sums(source).means().items() if "." not in s}
    lexical = {"tokenizer": "alnum", "idf": "pooled", "documents": 10, "fingerprint": "f", "reliable": True}
    config = {"tokenizer": "alnum", "idf": "pooled", "tau": TAU, "sample": 25000, "replicates": 1000, "seed": 42}
    encoder = {"model": "simulated", "max_length": 128, "dtype": "fp32"} if all(s.encoded for s in sources.values()) else None
    summary = {
        "schema": "negaudit.score/1",
        "config": config,
        "config_hash": "c",
        "encoder": encoder,
        "lexical": lexical,
        "sources": bodies,
    }
    (folder / "summary.json").write_text(json.dumps(summary))
    return folder
