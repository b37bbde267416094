"""How a long run is doing: records and tokens per second, failures so far, time left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from negaudit.mining.llm.tally import Tally


@dataclass
class Pace:
    """The state of a run. `total` records are wanted and `done` are there, `resumed` of them from earlier runs; `tally` is of this run."""

    total: int
    resumed: int
    done: int = 0
    unfinished: int = 0
    tally: Tally = field(default_factory=Tally)
    clock: Callable[[], float] = time.monotonic
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.done = self.done or self.resumed
        self.started = self.clock()

    def __str__(self) -> str:
        seconds = max(self.clock() - self.started, 1e-9)
        new = self.done - self.resumed
        rate = new / seconds
        parts = [f"{self.done:,} of {self.total:,} records", f"{rate:.2f} records/s", f"{self.tally.tokens / seconds:,.0f} tokens/s"]
        failed, retried = sum(self.tally.failed.values()), sum(self.tally.retried.values())
        parts.append(f"{failed:,} of {self.tally.asked:,} requests failed, {retried:,} tries repeated")
        parts.append(f"{self.tally.accepted:,} of {self.tally.read:,} passages accepted")
        if self.unfinished:
            parts.append(f"{self.unfinished:,} records unfinished")
        left = self.total - self.done - self.unfinished
        parts.append(f"{_time(left / rate)} left" if rate and left else "no time left to tell" if left else "done")
        return " · ".join(parts)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
