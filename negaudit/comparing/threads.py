"""The same work on ranges of an index, spread over threads; where a range ends changes no result."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def over_ranges(work: Callable[[int, int], Result], count: int, smallest: int = 1) -> list[Result]:
    """Return work(first, stop) for ranges that make up range(count), in order; compiled code that lets go of the lock runs side by side."""
    workers = os.cpu_count() or 1
    size = max(smallest, -(-count // workers))
    ranges = [(first, min(first + size, count)) for first in range(0, count, size)]
    return on_threads([lambda first=first, stop=stop: work(first, stop) for first, stop in ranges])  # type: ignore[misc]


def on_threads(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """Return what the jobs return, in their order."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]
