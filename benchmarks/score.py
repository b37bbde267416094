"""What scoring costs: psi next to plain Python, the encoder next to sentence-transformers, memory and growth with size.

python -m benchmarks.score lexical|large|encoder|cache|geometry|precision … [--dataset DIR] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.inputs import real_passages, write_input

DATASET = Path(__file__).resolve().parents[2] / "shared" / "data" / "msmarco_dl19"
RUN = "from benchmarks.runs import {name}; {name}(*__import__('sys').argv[1:])"
Figures = dict[str, Any]


def measured(name: str, *arguments: object) -> Figures:
    """Return what benchmarks.runs.NAME prints as JSON, run in a process of its own so that its peak memory is its own."""
    command = [sys.executable, "-c", RUN.format(name=name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "HF_HUB_OFFLINE": "1"})
    if done.returncode:
        raise SystemExit(done.stderr)
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def lexical(dataset: Path, scratch: Path) -> Figures:
    """400,000 pairs over 200,000 distinct passages, next to plain Python, alternated three times."""
    source = write_input(real_passages(dataset), scratch / "400k.parquet", distinct=200_000, pairs=400_000)
    runs = [(measured("plain", source, scratch), measured("ours", source, scratch)) for _ in range(3)]
    ratios = {kind: statistics.median(a[kind] / b[kind] for a, b in runs) for kind in ("seconds", "cpu_seconds")}
    last = runs[-1]
    return {
        "pairs": 400_000,
        "plain_seconds": statistics.median(a["seconds"] for a, _ in runs),
        "seconds": statistics.median(b["seconds"] for _, b in runs),
        "pairs_per_second": 400_000 / statistics.median(b["seconds"] for _, b in runs),
        "times_plain": ratios["seconds"],
        "times_plain_in_cpu_time": ratios["cpu_seconds"],
        "peak_gb": last[1]["peak_gb"],
        "plain_peak_gb": last[0]["peak_gb"],
        "largest_difference_of_mean_psi": abs(last[0]["mean_psi"] - last[1]["mean_psi"]),
    }


def large(dataset: Path, scratch: Path) -> Figures:
    """4,000,000 pairs over 2,000,000 distinct passages: peak memory, and time next to ten times the small one's."""
    passages = real_passages(dataset)
    small = write_input(passages, scratch / "400k.parquet", distinct=200_000, pairs=400_000)
    big = write_input(passages, scratch / "4m.parquet", distinct=2_000_000, pairs=4_000_000)
    one, ten = measured("ours", small, scratch), measured("ours", big, scratch)
    growth = {f"growth_{kind}": ten[kind] / one[kind] / 10 for kind in ("seconds", "cpu_seconds")}
    return {"pairs": 4_000_000, "seconds": ten["seconds"], "peak_gb": ten["peak_gb"], **growth}


def encoder(dataset: Path, scratch: Path) -> Figures:
    """Distinct texts alone, five alternated runs; and a whole score next to encoding every triplet's three texts."""
    return measured("encoding", dataset, scratch)


def cache(dataset: Path, scratch: Path) -> Figures:
    """5,000 texts encoded, then asked for again."""
    return measured("cached", dataset, scratch)


def geometry(dataset: Path, scratch: Path) -> Figures:
    """All weightings at 384 dimensions, per pair, next to encoding one text."""
    return measured("moments", dataset, scratch)


def precision(dataset: Path, scratch: Path) -> Figures:
    """bf16 and fp16 next to fp32 on the texts of SciFact."""
    return measured("precisions", dataset.parent / "scifact", scratch)


PARTS: dict[str, Callable[[Path, Path], Figures]] = {part.__name__: part for part in (lexical, large, encoder, cache, geometry, precision)}


def main() -> None:
    """Run the parts that are named and print their figures; with --json, write them too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--dataset", type=Path, default=DATASET)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in arguments.parts or PARTS:
            found[name] = PARTS[name](arguments.dataset, Path(scratch))
            for figure, value in found[name].items():
                print(f"{name:10} {figure:34} {value:,.4g}" if isinstance(value, float) else f"{name:10} {figure:34} {value:,}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
