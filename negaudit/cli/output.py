"""What a command says: its result alone on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# Called with (stage, done, total); stages follow one another.
Progress = Callable[[str, int, int], None]
# Tables that go to a file or a pipe are not squeezed into a terminal's width.
PIPE_WIDTH = 200
# Without a terminal, progress is a line of text, and not more often than this.
SECONDS_BETWEEN_LINES = 15.0


class Output:
    """Prints one command's result as a table, as one JSON document (`as_json`), or as its path alone (`quiet`)."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False) -> None:
        self._as_json = as_json
        self._quiet = quiet

    def result(self, body: Mapping[str, Any], table: Callable[[], RenderableType], path: Path | None) -> None:
        """Print the result: `body` as JSON, or `path` when quiet, or what `table` makes and where the result lies (None: nowhere)."""
        if self._as_json:
            print(json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False))
        elif self._quiet:
            if path is not None:
                print(path)
        else:
            console = _console(sys.stdout)
            console.print(table())
            if path is not None:
                console.print(f"written to {path}", markup=False, highlight=False, soft_wrap=True)

    def document(self, body: Mapping[str, Any], table: Callable[[], RenderableType]) -> None:
        """Print a result that no file holds: `body` as JSON, else what `table` makes."""
        if self._as_json:
            print(json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False))
        else:
            _console(sys.stdout).print(table())

    def note(self, text: str) -> None:
        """Say something in passing, on stderr; nothing when quiet."""
        if not self._quiet:
            _console(sys.stderr).print(text, markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Yield a function of (stage, done, total) that shows how far the work is, on stderr; nothing when quiet."""
        if self._quiet:
            yield lambda *_: None
        elif sys.stderr.isatty():
            with _progress_bars() as show:
                yield show
        else:
            yield _progress_lines()


def accounts_table(title: str, counts: Mapping[str, Mapping[str, Any]]) -> RenderableType:
    """Return a table of accounts: what was read, used and rejected, with the reasons."""
    rows = [(what, account["read"], account["used"], reasons(account["rejected"])) for what, account in counts.items()]
    return simple_table(title, ("", "read", "used", "rejected"), rows)


def reasons(rejected: Mapping[str, int]) -> str:
    """Return the counts of rejects by reason in words; "-" where there are none."""
    return ", ".join(f"{count} {reason}" for reason, count in sorted(rejected.items())) or "-"


def simple_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> RenderableType:
    """Return a table; numbers stand to the right, floats with four places."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for index, name in enumerate(columns):
        numbers = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        table.add_column(name, justify="right" if numbers else "left")
    for row in rows:
        table.add_row(
            *(Text(f"{cell:.4f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row)
        )
    return table


def _console(stream: Any) -> Console:
    from rich.console import Console

    return Console(file=stream, width=None if stream.isatty() else PIPE_WIDTH)


@contextmanager
def _progress_bars() -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=_console(sys.stderr), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total, rate="")
            speed = next(task.speed for task in bars.tasks if task.id == tasks[stage])
            bars.update(tasks[stage], completed=done, total=total, rate=f"{speed:,.1f} a second" if speed else "")

        yield show


def _progress_lines() -> Progress:
    last = time.monotonic()
    begun: dict[str, tuple[float, int]] = {}

    def show(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        start, already = begun.setdefault(stage, (now, done))
        if now - last >= SECONDS_BETWEEN_LINES:
            last = now
            pace = _pace(done - already, total - done, now - start)
            print(f"{stage}: {done:,} of {total:,}{pace}", file=sys.stderr, flush=True)

    return show


def _pace(done: int, left: int, seconds: float) -> str:
    """Return the rate and the time left in words, nothing before there is a rate."""
    if done <= 0 or seconds <= 0:
        return ""
    remaining = round(left * seconds / done)
    return f", {done / seconds:,.1f} a second, {remaining // 3600}:{remaining // 60 % 60:02}:{remaining % 60:02} left"
