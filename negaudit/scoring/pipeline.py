"""Stages of a stream that run side by side: the next chunk is read, and the last one worked off, while this one is computed."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar

_Item = TypeVar("_Item")
_P = ParamSpec("_P")
_AHEAD = 2  # chunks read ahead, and handed on but not done yet: this many are in memory at most


def read_ahead(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield `items` in order, taken from their iterator by a thread that stays up to _AHEAD ahead; an error there is raised here."""
    waiting: queue.Queue[tuple[_Item | None, BaseException | None, bool]] = queue.Queue(_AHEAD)
    stopped = threading.Event()

    def put(entry: tuple[_Item | None, BaseException | None, bool]) -> None:
        placed = False
        while not placed and not stopped.is_set():
            with suppress(queue.Full):
                waiting.put(entry, timeout=0.1)
                placed = True

    def read() -> None:
        try:
            for item in items:
                put((item, None, False))
                if stopped.is_set():
                    return
            put((None, None, True))
        except BaseException as error:  # handed over: whoever consumes the items has to see it
            put((None, error, True))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    try:
        while True:
            item, error, ended = waiting.get()
            if error is not None:
                raise error
            if ended:
                return
            yield item  # type: ignore[misc]
    finally:
        stopped.set()
        thread.join()


class InOrder(Generic[_P]):
    """Runs one function on one thread, calls in the order they come; `submit` waits while too many are pending. A context manager."""

    def __init__(self, function: Callable[_P, Any]) -> None:
        self._function = function
        self._pool = ThreadPoolExecutor(1)
        self._pending: deque[Future[Any]] = deque()

    def submit(self, *arguments: _P.args, **named: _P.kwargs) -> None:
        """Have the function called; raises what an earlier call raised."""
        self._pending.append(self._pool.submit(self._function, *arguments, **named))
        while len(self._pending) > _AHEAD:
            self._pending.popleft().result()

    def __enter__(self) -> InOrder[_P]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=kind is not None)
        if kind is None:
            for future in self._pending:
                future.result()
