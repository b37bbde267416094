"""Mining against sentence-transformers' mine_hard_negatives and against a plain bm25s loop, on the same data: time, memory, overlap.

    python benchmarks/mine.py DATASET [--split test] [--model PATH_OR_ID] [--runs 5]

Runs alternate, each in a process of its own; encoding is inside both dense runs (no cache). Prints medians, ratios and overlaps.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from negaudit.data.dataset import open_collection

K = 10
PAIRS = {"dense": ("negaudit_dense", "sentence_transformers"), "bm25": ("negaudit_bm25", "plain_bm25s")}


def main() -> None:
    """Run every pair alternately and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset")
    parser.add_argument("--split", default="test")
    parser.add_argument("--model", default=None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pair", choices=[*PAIRS, "both"], default="both")
    parser.add_argument("--worker", default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measured(options)))
        return
    for pair, contestants in PAIRS.items():
        if options.pair in (pair, "both"):
            compare(pair, contestants, options)


def compare(pair: str, contestants: tuple[str, str], options: argparse.Namespace) -> None:
    """Run both contestants in turn and print the medians of time and memory, their ratios, and how much of what was mined is the same."""
    runs: dict[str, list[dict]] = {name: [] for name in contestants}
    for number in range(options.runs):
        for name in contestants if number % 2 == 0 else contestants[::-1]:
            command = [sys.executable, __file__, options.dataset, "--split", options.split, "--worker", name]
            command += ["--model", options.model] if options.model else []
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
            runs[name].append(json.loads(said))
            print(f"{pair} {name}: {runs[name][-1]['seconds']:.2f} s, {runs[name][-1]['megabytes']:.0f} MB", file=sys.stderr)
    ours, theirs = contestants
    for figure in ("seconds", "megabytes"):
        mine, yours = (statistics.median(run[figure] for run in runs[name]) for name in contestants)
        print(f"{pair}: {figure} {mine:.2f} ({ours}) against {yours:.2f} ({theirs}): ratio {mine / yours:.3f}")
    paired = statistics.median(a["seconds"] / b["seconds"] for a, b in zip(runs[ours], runs[theirs], strict=True))
    print(f"{pair}: median of the {options.runs} ratios of paired runs {paired:.3f}")
    mined = [{query: set(found) for query, found in runs[name][0]["mined"].items()} for name in contestants]
    shares = [
        len(mined[0][query] & mined[1][query]) / max(1, len(mined[0][query] | mined[1][query])) for query in mined[0] if query in mined[1]
    ]
    print(f"{pair}: overlap of the mined sets {statistics.mean(shares):.4f} (Jaccard, mean of {len(shares)} queries)")


def measured(options: argparse.Namespace) -> dict:
    """Return seconds, peak megabytes on top of what was there before, and the mined texts by query of one contestant.

    Measured is from the open collection and the loaded model to what the contestant returns; the mined texts are taken from it afterwards.
    """
    collection = open_collection(options.dataset, split=options.split)
    import bm25s  # noqa: F401  both BM25 contestants need it, and neither is charged for the import

    run = globals()[options.worker](collection, options.model)
    before = resident(reset=True)
    start = time.perf_counter()
    found = run()
    seconds = time.perf_counter() - start
    megabytes = (resident() - before) / 1024
    return {"seconds": seconds, "megabytes": megabytes, "mined": texts_by_query(found)}


def resident(*, reset: bool = False) -> int:
    """Return the peak resident memory in kilobytes since the last reset; with `reset` the peak is what is there now."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    [peak] = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(peak)


def model_path(model: str | None) -> str:
    """Return the encoder's path: the packaged one where none is named."""
    from negaudit.encoding.packaged import packaged_model_folder

    return model or str(packaged_model_folder())


def negaudit_dense(collection, model):
    """Return a function that mines with negaudit, from texts to a source."""
    from negaudit.encoding.encoder import load_encoder
    from negaudit.mining.dense import mine_dense

    cache = tempfile.mkdtemp()
    encoder = load_encoder(model_path(model), device="cpu", cache=Path(cache))
    return lambda: mine_dense(collection, encoder=encoder, k=K)


def sentence_transformers(collection, model):
    """Return a function that mines the same with mine_hard_negatives, at the same maximum length."""
    from datasets import Dataset
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.util import mine_hard_negatives

    encoder = SentenceTransformer(model_path(model), device="cpu")
    encoder.max_seq_length = 128
    queries, _ = collection.labelled_queries()
    rows = [(query.query, positive) for query in queries for positive in query.positives]
    dataset = Dataset.from_dict({"query": [row[0] for row in rows], "positive": [row[1] for row in rows]})
    corpus = collection.passages["text"].to_pylist()

    def run() -> Dataset:
        options = {"num_negatives": K, "sampling_strategy": "top", "output_format": "n-tuple", "verbose": False}
        return mine_hard_negatives(dataset, encoder, corpus=corpus, **options)

    return run


def negaudit_bm25(collection, _model):
    """Return a function that mines with negaudit, from texts to a source."""
    from negaudit.mining.bm25 import mine_bm25

    return lambda: mine_bm25(collection, k=K)


def plain_bm25s(collection, _model):
    """Return a function that does what one would write by hand: tokenize, index, retrieve, drop the positives by id."""
    import bm25s

    def run() -> dict[str, list[str]]:
        ids, texts = collection.passages["id"].to_pylist(), collection.passages["text"].to_pylist()
        queries, _ = collection.labelled_queries()
        index = bm25s.BM25(backend="numpy")
        index.index(bm25s.tokenize(texts, stopwords=None, token_pattern=r"(?u)[^\W_]+", show_progress=False), show_progress=False)
        most = max(len(query.positive_ids) for query in queries)
        asked = bm25s.tokenize(
            [q.query for q in queries], stopwords=None, token_pattern=r"(?u)[^\W_]+", return_ids=False, show_progress=False
        )
        found, _ = index.retrieve(asked, k=min(K + most, len(ids)), show_progress=False)
        mined = {}
        for query, row in zip(queries, found, strict=True):
            mined[query.query] = [texts[i] for i in row if ids[i] not in query.positive_ids][:K]
        return mined

    return run


def texts_by_query(found) -> dict[str, list[str]]:
    """Return the negatives' texts by query of what a contestant returned: its own dictionary, a source, or an n-tuple data set."""
    if isinstance(found, dict):
        return found
    if hasattr(found, "records"):
        return {record.query: [negative.text for negative in record.negatives] for record in found.records()}
    return {row["query"]: [row[f"negative_{i}"] for i in range(1, K + 1)] for row in found}


if __name__ == "__main__":
    main()
