"""Mine two sources, build controls, audit them and write the review: python examples/audit_two_sources.py [OUT]."""

from __future__ import annotations

import sys
from pathlib import Path

import negaudit
from negaudit.resources import resource

RECORDS = 30  # scored per source; leave it out (25,000) for real work


def main(out: Path) -> negaudit.Report:
    """Audit two ways of BM25 on the packaged SciFact, write the run and its review to `out`, and return the review."""
    collection = negaudit.open_collection(resource("scifact"), split="test")
    mined = {
        "plain": negaudit.mine_bm25(collection, k=3, name="plain"),
        "stemmed": negaudit.mine_bm25(collection, k=3, tokenizer="stem:english", name="stemmed"),
    }
    recipes = negaudit.choose_recipes(["random", "dilute_25"])
    controls = negaudit.build_controls(mined, collection=collection, recipes=recipes, base="plain")

    encoder = negaudit.load_encoder()
    config = negaudit.ScoreConfig(sample=RECORDS)
    audited = negaudit.audit({**mined, **controls}, genuine=["plain"], encoder=encoder, config=config, out=out)
    for name, source in audited.body["sources"].items():
        print(f"{name:10} {source['role']:10} {source['verdict']['usable']:12} psi {source['profile']['mean_psi']:.3f}")

    review = negaudit.report(out)
    print(review.decision.headline)
    print(f"Open {review.html}")
    return review


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "audit"))
