"""What is wrong with a file of negatives as a terminal table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group

_ORDER = ("error", "warn", "info", "not_run", "ok")
_STYLES = {"error": "bold red", "warn": "yellow", "info": "cyan", "not_run": "dim", "ok": "green"}


def validation_review(bodies: Sequence[Mapping[str, Any]]) -> Group:
    """Return validated files for the terminal, one after the other."""
    from rich.console import Group

    return Group(*(_review(body) for body in bodies))


def _review(body: Mapping[str, Any]) -> Group:
    """Return how much there is in a file, a row per check (the worst first), and where to look."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=f"{body['file']} ({body['format']})", title_justify="left")
    for name, justify in (("check", "left"), ("", "left"), ("count", "right"), ("of", "right"), ("what", "left"), ("for example", "left")):
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    found = sorted(body["checks"].items(), key=lambda item: _ORDER.index(item[1]["severity"]))
    for name, check in found:
        severity = check["severity"]
        counts = ("", "") if severity == "not_run" else (f"{check['count']:,}", f"{check['of']:,}")
        cells = (name, Text(severity, _STYLES[severity]), *counts, _what(check), _examples(check))
        table.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in cells))
    return Group(table, *(Text(line) for line in _counts(body)))


def _what(check: Mapping[str, Any]) -> str:
    if check["severity"] == "not_run":
        return str(check["note"])
    details = ", ".join(f"{name} {_number(value)}" for name, value in check["details"].items()) if check["count"] else ""
    note = f"; {check['note']}" if check["note"] else ""
    return f"{check['what']}{f' ({details})' if details else ''}{note}"


def _examples(check: Mapping[str, Any]) -> str:
    """Return where the first faults are, and the first repair."""
    places = ", ".join(f"line {example['line']} {example['where']}" for example in check["examples"][:2])
    repair = next((example for example in check["examples"] if "repair" in example), None)
    return f"{places}: {repair['found']!r} would be {repair['repair']!r}" if repair else places


def _counts(body: Mapping[str, Any]) -> list[str]:
    records = body["records"]
    rejected = ", ".join(f"{count:,} {reason}" for reason, count in records["rejected"].items())
    lines = [
        (
            f"{records['read']:,} records read, {records['valid']:,} usable{f', rejected: {rejected}' if rejected else ''}; "
            f"{body['distinct_queries']:,} distinct queries, {body['distinct_texts']:,} distinct texts after folding"
        )
    ]
    for side in ("positives", "negatives"):
        spread = body[f"{side}_per_record"]
        per_record = f"{spread['min']:,} to {spread['max']:,}, median {spread['median']:,}, mean {spread['mean']:.1f}"
        lines.append(f"{side}: {spread['total']:,}, per record {per_record}")
    for name, what in (
        ("origins", "negatives by origin"),
        ("fields_left_out", "fields not read"),
        ("passages_left_out", "passages left out"),
    ):
        if body[name]:
            lines.append(f"{what}: {', '.join(f'{key} {count:,}' for key, count in body[name].items())}")
    return lines


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
