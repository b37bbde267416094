"""How fast `validate` is and how much memory it takes: FlagEmbedding files of several sizes, each validated in a process of its own.

    python benchmarks/validate.py --records 100000 1000000

Prints records per second, the peak of resident memory, and what it may be: 500 MB and 32 bytes per distinct text.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NEGATIVES = 7
WORDS = 60
_MEASURED = """
import json, resource, sys
from negaudit.validating.validator import validate
body = validate(sys.argv[1]).body
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"peak": peak, "records": body["records"]["valid"], "distinct": body["distinct_texts"]}))
"""


def write_file(path: Path, records: int, *, unique: bool = False) -> None:
    """Write `records` records, each with a query and a positive of its own and negatives out of all positives, or (`unique`) of its own."""
    words = [
        f"{start}{middle}{end}" for start in ("ba", "de", "ki", "lo") for middle in ("ra", "ne", "ti", "mo") for end in ("n", "s", "t", "")
    ]

    def passage(number: int) -> str:
        return " ".join(words[(number * 31 + place * (number % 7 + 3)) % len(words)] for place in range(WORDS)) + f" {number}"

    with open(path, "w", encoding="utf-8") as file:
        for record in range(records):
            first = records + record * NEGATIVES
            own = [passage(first + step) for step in range(NEGATIVES)]
            negatives = own if unique else [passage((record * 7919 + step * 104729 + 1) % records) for step in range(1, NEGATIVES + 1)]
            row = {"query": f"what is {words[record % len(words)]} number {record}", "pos": [passage(record)], "neg": negatives}
            file.write(json.dumps(row) + "\n")


def main() -> None:
    """Write and validate a file of each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--unique", action="store_true", help="every negative in one record only")
    options = parser.parse_args()
    print(f"{'records':>10} {'distinct texts':>15} {'seconds':>9} {'records/s':>10} {'peak MB':>9} {'allowed MB':>11}")
    for records in options.records:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "negatives.jsonl"
            write_file(path, records, unique=options.unique)
            begin = time.perf_counter()
            done = subprocess.run([sys.executable, "-c", _MEASURED, str(path)], check=True, capture_output=True, text=True)
            seconds = time.perf_counter() - begin
        found = json.loads(done.stdout)
        allowed = 500e6 + 32 * found["distinct"]
        speed = f"{records / seconds:>10,.0f} {found['peak'] / 1e6:>9.0f} {allowed / 1e6:>11.0f}"
        print(f"{found['records']:>10,} {found['distinct']:>15,} {seconds:>9.1f} {speed}", flush=True)


if __name__ == "__main__":
    main()
