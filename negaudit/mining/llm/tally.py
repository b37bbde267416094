"""What a run has cost and brought so far: requests, answers, passages and tokens, counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from negaudit.data.metadata import Account
from negaudit.mining.llm.exchange import Reply

_NUMBERS = ("asked", "answered", "read", "accepted", "tokens_in", "tokens_out")
_REASONS = ("failed", "rejected", "retried")


@dataclass
class Tally:
    """`asked` requests brought `answered` usable answers, the rest `failed` by reason; these held `read` passages, of which some were
    `accepted` and the rest `rejected` by reason. `retried` counts tries that were repeated, by what was wrong with them.
    """

    asked: int = 0
    answered: int = 0
    read: int = 0
    accepted: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    retried: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add what `other` counted."""
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in _REASONS:
            getattr(self, name).update(getattr(other, name))

    def reply(self, reply: Reply) -> None:
        """Count what an answer cost, whatever is in it."""
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        self.retried.update(reply.retries)

    @property
    def tokens(self) -> int:
        """Tokens read and written by the model."""
        return self.tokens_in + self.tokens_out

    def requests(self) -> Account:
        """Return the account of the requests: those with a usable answer are used."""
        return Account(self.asked, self.answered, dict(self.failed))

    def negatives(self) -> Account:
        """Return the account of the passages that were in the answers."""
        return Account(self.read, self.accepted, dict(self.rejected))

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as JSON-ready data, reasons sorted; from_dict is the way back."""
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        return {**numbers, **{name: dict(sorted(getattr(self, name).items())) for name in _REASONS}}

    @classmethod
    def from_dict(cls, body: Mapping[str, Any]) -> Tally:
        """Return the tally that as_dict() described; raises KeyError, TypeError or ValueError where `body` is none."""
        values: dict[str, Any] = {name: int(body[name]) for name in _NUMBERS}
        for name in _REASONS:
            values[name] = Counter({str(reason): int(count) for reason, count in body[name].items()})
        return cls(**values)
