"""When a failed request is tried again: exponential waits with jitter, and the server's own wish where it states one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from negaudit.errors import NegauditError

TRANSIENT = (408, 409, 425, 429)


@dataclass(frozen=True, slots=True)
class Retrying:
    """At most `retries` further tries, after waits that double from `first_wait` seconds up to `longest_wait`."""

    retries: int = 6
    first_wait: float = 0.5
    longest_wait: float = 60.0

    def __post_init__(self) -> None:
        if self.retries < 0:
            raise NegauditError(f"retries is {self.retries}: expected at least 0")

    def wait(self, number: int, seed: int, wished: str | None = None) -> float:
        """Return the seconds before retry `number` (from 0): between half and all of the doubled wait, drawn from the request's seed.

        `wished` is the server's Retry-After in seconds, which is waited for, up to the longest wait.
        """
        digest = hashlib.blake2b(f"{seed}\0{number}".encode(), digest_size=8).digest()
        jitter = 0.5 + int.from_bytes(digest) / 2.0**65
        drawn = min(self.longest_wait, self.first_wait * 2.0 ** min(number, 64)) * jitter
        return max(drawn, min(_seconds(wished), self.longest_wait))


def transient(status: int) -> bool:
    """Return whether a server that answers with `status` may answer otherwise a moment later."""
    return status in TRANSIENT or status >= 500


def _seconds(wished: str | None) -> float:
    """Return what a Retry-After header says in seconds; 0 for a date, which no model server is known to send."""
    try:
        seconds = float(wished or 0)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < float("inf") else 0.0
