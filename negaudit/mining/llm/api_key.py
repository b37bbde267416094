"""The key of a model server: from the environment only, and never in what is said, written or raised."""

from __future__ import annotations

import os

from negaudit.errors import NegauditError

VARIABLES = ("NEGAUDIT_API_KEY", "OPENAI_API_KEY")


class ApiKey:
    """The key that the environment holds, if any. It has no readable form."""

    def __init__(self) -> None:
        name, value = next(((name, value) for name in VARIABLES if (value := os.environ.get(name, "").strip())), ("", ""))
        if not (value.isascii() and value.isprintable()):
            raise NegauditError(f"{name} holds characters that no HTTP header can carry; set it again")
        self._value = value

    def __repr__(self) -> str:
        return f"ApiKey({'set' if self._value else 'not set'})"

    def headers(self) -> dict[str, str]:
        """Return the HTTP headers that carry the key; none where there is no key."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def removed_from(self, text: str) -> str:
        """Return `text`, which came from outside, without the key: servers have been seen to send it back."""
        return text.replace(self._value, "***") if self._value else text
