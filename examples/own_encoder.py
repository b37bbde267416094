"""Score negatives with an encoder of your own, from a folder or a hub id: python examples/own_encoder.py [MODEL] [OUT]."""

from __future__ import annotations

import sys
from pathlib import Path

import negaudit
from negaudit.resources import resource

RECORDS = 30


def main(model: str | None, out: Path) -> negaudit.ScoreResult:
    """Score BM25 negatives of SciFact with `model` (None: the packaged one), show its contract, and return the result."""
    # Prefixes come from the model's own prompts; give query_prefix and passage_prefix where it has none.
    encoder = negaudit.load_encoder(model, max_length=128)
    for key, value in encoder.contract.as_dict().items():
        print(f"{key:16} {value!r}")

    collection = negaudit.open_collection(resource("scifact"), split="test")
    source = negaudit.mine_bm25(collection, k=3)
    result = negaudit.score({"bm25": source}, encoder=encoder, config=negaudit.ScoreConfig(sample=RECORDS), out=out)
    scored = result.summary["sources"]["bm25"]
    for statistic in ("mean_psi", "mean_rho", "mean_eta", "inversion_rate"):
        low, high = scored["intervals"][statistic]
        print(f"{statistic:16} {scored[statistic]:.3f}  95 % interval {low:.3f} to {high:.3f}")

    # Every scored pair, for questions of your own: here the negatives that the encoder prefers to the positive.
    import polars as pl

    pairs = pl.read_parquet(out / "bm25" / "negatives.parquet")
    print(pairs.filter(pl.col("inverted")).select("query_id", "negative_id", "psi", "rho", "eta").head(5))
    return result


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0] if given else None, Path(given[1] if len(given) > 1 else "scores"))
