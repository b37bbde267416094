"""The errors a user can act on: one line each, and exit code 2."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class NegauditError(Exception):
    """What was wrong with input, options or output, in one line that says what to do.

    Messages quote what was found in a file, and a name found there may hold a line break: it becomes a space.
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))


class MissingExtraError(NegauditError):
    """A command needs a package that only an optional extra installs."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the '{extra}' extra; install it with: pip install 'negaudit[{extra}]'")
        self.extra = extra


def unknown_name(kind: str, name: str, known: Iterable[str]) -> NegauditError:
    """Return the error for a name that a registry does not hold, with what there is and what is close."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return NegauditError(f"unknown {kind} '{name}'{hint} (there is: {', '.join(names) or 'none'})")
