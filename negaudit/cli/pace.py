"""How a long run is doing, on stderr: one line that changes, or one every now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from negaudit.cli.output import SECONDS_BETWEEN_LINES


@contextmanager
def shown_pace(*, quiet: bool) -> Iterator[Callable[[Any], None]]:
    """Yield a function that shows what it is given, whatever that says of itself; nothing when quiet."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("starting") as status:
            yield lambda pace: status.update(str(pace))
    else:
        last = time.monotonic()

        def line(pace: Any) -> None:
            nonlocal last
            if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                print(pace, file=sys.stderr, flush=True)

        yield line
