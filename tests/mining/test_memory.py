"""The memory of dense mining is bounded by the block size, not by queries x passages."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# A synthetic problem: 200,000 passages, 20,000 queries. Every matrix of all scores would take 16 GB.
SEARCH = """
from pathlib import Path
import numpy as np
from negaudit.encoding.embeddings import Embeddings
from negaudit.mining.dense_search import DenseSearch

def peak():
    # Of this program alone: ru_maxrss begins at what the process that started it had.
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024

def embeddings(count, seed):
    random = np.random.default_rng(seed)
    vectors = np.empty((count, 32), np.float32)
    for start in range(0, count, 10_000):
        block = random.standard_normal((min(10_000, count - start), 32), np.float32)
        vectors[start : start + len(block)] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return Embeddings(vectors, np.arange(count), np.ones(count, bool), np.full(count, 5), 128)

passages, queries = embeddings(200_000, 1), embeddings(20_000, 2)
search = DenseSearch(passages, 16_384)
Path("/proc/self/clear_refs").write_text("5")  # the peak is what is there now
before, found = peak(), 0
for start in range(0, 20_000, 1024):
    block = queries.gather(slice(start, start + 1024))
    for positions, scores in search.top(block, np.full(len(block), 20)):
        found += len(positions)
print(found, peak() - before)
"""


@pytest.mark.acceptance
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read where Linux keeps it")
def test_peak_memory_stays_under_one_and_a_half_gigabytes() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run([sys.executable, "-c", SEARCH], env=environment, capture_output=True, text=True, check=True).stdout.split()
    print(f"peak on top of the embeddings: {float(said[1]):.0f} MB")  # noqa: T201
    assert int(said[0]) >= 20_000 * 20
    assert 10 < float(said[1]) < 1500, "a block of scores alone takes tens of megabytes"
