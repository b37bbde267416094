"""How near mine_llm comes to what the waiting alone allows: python -m benchmarks.llm_throughput [RECORDS]

64 requests in flight against a canned server in another process that takes 500 ms an answer: 128 records a second at the most. Ten
passages an answer, all checks and the journal on. Exits 1 below 80 % of that.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import negaudit
from negaudit.resources import resource

IN_FLIGHT, SECONDS, BAR = 64, 0.5, 0.8


def main(records: int) -> int:
    """Print the throughput and return the exit code."""
    collection = negaudit.open_collection(resource("scifact"), split="train")
    command = [sys.executable, "-m", "tests.mining.llm.canned_server", str(SECONDS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        endpoint = server.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder:
            backend = negaudit.ServerBackend(endpoint, "canned", in_flight=IN_FLIGHT)
            start = time.perf_counter()
            source = negaudit.mine_llm(collection, backend=backend, k=10, limit=records, journal=Path(folder) / "journal")
            seconds = time.perf_counter() - start
        server.stdin.close()
    counts = source.metadata.counts
    assert counts["negatives"]["used"] == 10 * counts["queries"]["used"], "the canned passages all pass"
    possible = IN_FLIGHT / SECONDS
    reached = counts["queries"]["used"] / seconds
    print(f"{counts['queries']['used']} records in {seconds:.2f} s: {reached:.1f} a second, {reached / possible:.0%} of {possible:.0f}")
    return 0 if reached >= BAR * possible else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 768))
