"""Batches worked off by several threads at once and handed back in order, so that what is written does not depend on who was first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

_Task = TypeVar("_Task")
_Done = TypeVar("_Done")
_MOST_WORKERS = 16
_ON_A_DEVICE = {"cuda": 2}  # one batch is tokenized while the device computes the other


def in_order(work: Callable[[_Task], _Done], tasks: Iterable[_Task], device_type: str) -> Iterator[_Done]:
    """Yield `work(task)` of each task in order, computed side by side.

    On a CPU each worker has one thread of torch's to itself: layers of a small model are too short to be shared by cores, which
    then wait for each other at every one. An accelerator gets its next batch prepared while it computes.
    """
    with _divided_threads(device_type) as (workers, prepare), ThreadPoolExecutor(workers, initializer=prepare) as pool:
        pending: deque[Future[_Done]] = deque()
        try:
            for task in tasks:
                pending.append(pool.submit(work, task))
                if len(pending) > workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


@contextmanager
def _divided_threads(device_type: str) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Yield how many workers there are and what each does first; torch's number of threads is as before afterwards."""
    import torch

    if device_type != "cpu":
        yield _ON_A_DEVICE.get(device_type, 1), lambda: None
        return
    threads = torch.get_num_threads()
    workers = min(threads, _MOST_WORKERS)
    try:
        yield workers, lambda: torch.set_num_threads(max(1, threads // workers))
    finally:
        torch.set_num_threads(threads)
