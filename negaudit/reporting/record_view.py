"""A record laid out to be read in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

_FIELDS = ("origin", "rank", "score", "id", "replaced")


def records_view(records: Sequence[Mapping[str, Any]], shown: int = 400) -> Group:
    """Return the records for the terminal, one below the other; of each text the first `shown` characters (0: all of it)."""
    from rich.console import Group

    return Group(*(part for record in records for part in _parts(record, shown)))


def _parts(record: Mapping[str, Any], shown: int) -> list[Any]:
    from rich.text import Text

    head = Text(f"query {record['query_id']} (line {record['line']}): ", "bold")
    parts = [head.append(Text(record["query"], "not bold")), _table("positive", record["positives"], ("score", "id"), (), shown)]
    negatives = record["negatives"]
    fields = [name for name in _FIELDS if any(negative[name] is not None for negative in negatives)]
    numbers = list(dict.fromkeys(name for negative in negatives for name in negative["numbers"]))
    parts.append(_table("negative", negatives, fields, numbers, shown))
    if record["left_out"]:
        lost = ", ".join(f"{one['role']} {one['id']} ({one['reason']})" for one in record["left_out"][:10])
        more = len(record["left_out"]) - 10
        parts.append(Text(f"left out: {lost}{f' and {more} more' if more > 0 else ''}"))
    return [*parts, Text("")]


def _table(what: str, passages: Sequence[Mapping[str, Any]], fields: Sequence[str], numbers: Sequence[str], shown: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    kept = [name for name in fields if any(passage[name] is not None for passage in passages)]
    table = Table(box=box.SIMPLE_HEAD, show_lines=True)
    for name in ("", *kept, *numbers):
        table.add_column(name, justify="left" if name in ("origin", "id") else "right", no_wrap=name != "id", overflow="fold")
    table.add_column(what, overflow="fold", ratio=1)
    for place, passage in enumerate(passages):
        cells = [str(place), *(_cell(passage[name]) for name in kept), *(_cell(passage["numbers"].get(name)) for name in numbers)]
        table.add_row(*map(Text, cells), Text(_shortened(passage["text"], shown)))
    return table


def _shortened(text: str, shown: int) -> str:
    return text if not shown or len(text) <= shown else f"{text[:shown]}… ({len(text):,} characters)"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
