"""The contract of a check: it sees every chunk and ends in one finding; the registry holds one check per concept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from negaudit.validating.chunk import Chunk, Side

if TYPE_CHECKING:
    from negaudit.data.formats.source_file import SourceFile
    from negaudit.validating.numbers import Numbers

Severity = Literal["ok", "info", "warn", "error", "not_run"]
EXAMPLES = 5


@dataclass(frozen=True)
class Finding:
    """What a check found: `count` of `of` `unit`s, with a few examples. `severity` is "ok" where the count is 0."""

    check: str
    what: str
    severity: Severity
    count: int
    of: int
    unit: str
    examples: list[dict[str, Any]] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as JSON-ready data."""
        names = ("what", "severity", "count", "of", "unit", "examples", "details", "note")
        return {name: getattr(self, name) for name in names}


class Check:
    """One check of one file. A subclass states its `name`, `what` is wrong where it counts something, how bad that is, and in which unit
    it counts; it adds to `count`, `of` and `examples` as chunks come.
    """

    name: str
    what: str
    severity: Severity = "warn"
    unit = "texts"

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.count = self.of = 0
        self.examples: list[dict[str, Any]] = []
        self.details: dict[str, Any] = {}
        self.note = ""

    def update(self, chunk: Chunk) -> None:
        """See the next records of the file."""

    def finish(self, _: Numbers, /) -> None:
        """Look at the whole file once more, as numbers; for what only shows between records."""

    def finding(self) -> Finding:
        """Return what was found."""
        severity: Severity = self.severity if self.count else "ok"
        return Finding(self.name, self.what, severity, self.count, self.of, self.unit, self.examples, self.details, self.note)

    def take(self, chunk: Chunk, side: Side, positions: Iterable[int], **more: Any) -> None:
        """Count the texts at these positions, and keep the first few as examples."""
        for at in positions:
            self.count += 1
            if len(self.examples) < EXAMPLES:
                self.examples.append(chunk.example(side, int(at), **more))

    def keep(self, example: dict[str, Any]) -> None:
        """Keep an example while there is room."""
        if len(self.examples) < EXAMPLES:
            self.examples.append(example)


_CHECKS: dict[str, type[Check]] = {}


def register(check: type[Check]) -> type[Check]:
    """Take in a check and return it; raises ValueError where its name is taken."""
    if check.name in _CHECKS:
        raise ValueError(f"two checks are named '{check.name}'")
    _CHECKS[check.name] = check
    return check


def checks() -> dict[str, type[Check]]:
    """Return all checks by name, in the order they are shown."""
    import negaudit.validating.known  # noqa: F401  (each file there registers its own)

    return dict(_CHECKS)
