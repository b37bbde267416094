"""What is asked of a model and what comes back, and what a back end has to offer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from negaudit.errors import NegauditError


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model draws its words; raises NegauditError where a value is out of range.

    `max_tokens` bounds one answer: an answer that is cut off there is a failure.
    """

    temperature: float = 0.8
    top_p: float = 0.95
    max_tokens: int = 4096

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < float("inf"):
            raise NegauditError(f"temperature is {self.temperature}: expected a number of at least 0")
        if not 0 < self.top_p <= 1:
            raise NegauditError(f"top-p is {self.top_p}: expected a number above 0 and at most 1")
        if self.max_tokens < 1:
            raise NegauditError(f"max-tokens is {self.max_tokens}: expected at least 1")


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: the two messages, the JSON schema of the answer, and the seed of its draws."""

    system: str
    user: str
    schema: Mapping[str, Any]
    sampling: Sampling
    seed: int

    def messages(self) -> list[dict[str, str]]:
        """Return the messages as chat interfaces take them."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer as it came; `retries` are the reasons of the tries that failed before it."""

    text: str
    finish_reason: str | None
    tokens_in: int = 0
    tokens_out: int = 0
    retries: tuple[str, ...] = ()


class RequestFailedError(Exception):
    """One request got no answer; `reason` is a short word to count by, `retries` the reasons of the tries before the last."""

    def __init__(self, reason: str, message: str, retries: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.retries = retries


Complete = Callable[[Request], Awaitable[Reply]]


class Backend(Protocol):
    """A place where a model runs. `in_flight` is how many requests it wants to have at once.

    Its function `complete` raises RequestFailedError where one request got no answer, NegauditError where none will.
    """

    in_flight: int

    def identity(self) -> Mapping[str, Any]:
        """Return what decides the answers (back end, model), as JSON-ready data without machine paths, addresses and secrets."""

    def versions(self) -> Mapping[str, str]:
        """Return the versions of what it runs on, as far as they are known."""

    def opened(self) -> AbstractAsyncContextManager[Complete]:
        """Yield the function that answers requests, for as long as the context lasts."""


def stable_name(model: str) -> str:
    """Return the model's name without the place it lies in: a hub id as it is, the last part of a path."""
    path = Path(model).expanduser()
    return path.resolve().name if path.is_absolute() or path.exists() else model
