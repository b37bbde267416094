"""A table of results, and its form as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

Cell = str | int | float | None
Format = Literal["md", "csv", "latex"]
_LATEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)
_LATEX |= str.maketrans({">": "$>$", "<": "$<$"})


@dataclass(frozen=True)
class Grid:
    """Rows of cells under `columns`; numbers are kept as numbers, so that CSV has all their digits. `places` are printed of a float."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    places: int = 4

    def text(self) -> list[list[str]]:
        """Return the cells as they are printed; what is not there is a dash."""
        return [[self._printed(cell, column) for cell, column in zip(row, self.columns, strict=True)] for row in self.rows]

    def _printed(self, cell: Cell, column: str) -> str:
        if not isinstance(cell, float):
            return "-" if cell is None else str(cell)
        least = 10**-self.places
        # A p-value is never nothing.
        return f"<{least:.{self.places}f}" if column.startswith("p ") and cell < least else f"{cell:.{self.places}f}"


def rendered(grids: Sequence[Grid], form: Format) -> str:
    """Return tables one below the other in Markdown, CSV (an empty line between two, no notes) or LaTeX (booktabs)."""
    write: Callable[[Grid], str] = {"md": markdown, "csv": comma_separated, "latex": latex}[form]
    return "\n".join(write(grid) for grid in grids)


def markdown(grid: Grid) -> str:
    """Return the table in Markdown, its notes below."""
    rows = [list(grid.columns), ["---" if _wordy(grid, i) else "---:" for i in range(len(grid.columns))], *grid.text()]
    lines = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join([f"**{grid.title}**", "", *lines, *(f"\n{note}" for note in grid.notes)]) + "\n"


def comma_separated(grid: Grid) -> str:
    """Return the table as CSV; an empty field is a value that is not there."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(grid.columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in grid.rows)
    return buffer.getvalue()


def latex(grid: Grid) -> str:
    """Return the table as a LaTeX tabular for the package booktabs, title and notes as comments."""
    layout = "".join("l" if _wordy(grid, i) else "r" for i in range(len(grid.columns)))
    rows = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in [list(grid.columns), *grid.text()]]
    body = [r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule"]
    comments = [f"% {line}" for text in (grid.title, *grid.notes) for line in text.splitlines()]
    return "\n".join([*comments, rf"\begin{{tabular}}{{{layout}}}", *body, r"\end{tabular}"]) + "\n"


def _wordy(grid: Grid, column: int) -> bool:
    return any(isinstance(row[column], str) for row in grid.rows)
