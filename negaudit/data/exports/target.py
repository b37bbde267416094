"""A target format: the rows that a record becomes, and what of it the format has no place for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from negaudit.data.formats.parsed import Found
from negaudit.errors import unknown_name

Row = dict[str, Any]


@dataclass
class Plan:
    """What is known of the whole file before rows are made: `k` negatives per record where the target has a fixed number of them, whether
    every text of every record has a score, and (as rows are made) what was `lost`, by its name.
    """

    k: int
    scored: bool
    lost: Counter[str] = field(default_factory=Counter)

    def lose(self, record: Found, *names: str) -> None:
        """Count what the record has of these (query_ids, positive_ids, negative_ids, positive_scores, negative_scores, ranks, origins,
        replaced), since the target has no place for it.
        """
        for name in names:
            values = [record.query_id] if name == "query_ids" else getattr(record, name) or ()
            self.lost[name] += sum(value is not None for value in values)


@dataclass(frozen=True)
class Target:
    """A named target. `rows` yields what a record becomes; `schema` gives the columns of a table, None where the rows are JSON only."""

    name: str
    rows: Callable[[Found, Plan], Iterator[Row]]
    schema: Callable[[Plan], pa.Schema] | None = None


_TARGETS: dict[str, Target] = {}
NATIVE = "negaudit"


def register(new: Target) -> Target:
    """Take in a target and return it; raises ValueError where the name is taken."""
    if new.name in _TARGETS or new.name == NATIVE:
        raise ValueError(f"two targets are named '{new.name}'")
    _TARGETS[new.name] = new
    return new


def targets() -> dict[str, Target]:
    """Return all targets by name; negaudit's own Parquet, the source itself, is none of them."""
    import negaudit.data.exports.json_lines
    import negaudit.data.exports.st_datasets  # noqa: F401  (each registers its own)

    return dict(_TARGETS)


def get_target(name: str) -> Target:
    """Return the target called `name`; raises NegauditError that lists the names there are."""
    known = targets()
    if name not in known:
        raise unknown_name("target format", name, [NATIVE, *known])
    return known[name]
