"""The ranges of psi and the composite under other settings, as a terminal table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group

_NAMES = {"mean_psi": "psi", "composite": "composite log-det"}
_FACTORS = ("tokenizer", "idf", "tau")


def sensitivity_table(body: Mapping[str, Any]) -> Group:
    """Return one row per source and statistic with the range over each factor, and below it which values change the order of sources."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    factors = [factor for factor in _FACTORS if any(row["factor"] == factor for row in body["variants"])]
    base = body["base"]
    table = Table(caption=f"base: tokenizer {base['tokenizer']}, idf {base['idf']}, tau {base['tau']:g}", caption_justify="left")
    for heading in ("source", "statistic", "base", *(f"{factor} range" for factor in factors)):
        table.add_column(heading, justify="left" if heading in ("source", "statistic") else "right", no_wrap=heading == "source")
    for name, source in body["sources"].items():
        for statistic in (key for key in _NAMES if key in source):
            ranges = source[statistic]
            cells = [f"{ranges[factor][0]:.4f} to {ranges[factor][1]:.4f}" if factor in ranges else "" for factor in factors]
            table.add_row(name, _NAMES[statistic], f"{ranges['base']:.4f}", *cells)
    return Group(table, *(Text(line) for line in _order_lines(body["order"])))


def _order_lines(orders: Mapping[str, Any]) -> list[str]:
    lines = []
    for statistic, order in orders.items():
        line = f"By {_NAMES[statistic]}: {' > '.join(order['base'])}; the same under {order['compared'] - len(order['changes'])} "
        lines.append(line + f"of {order['compared']} other settings")
        lines += [f"  {change['factor']} {change['value']}: {' > '.join(change['order'])}" for change in order["changes"]]
    return lines
