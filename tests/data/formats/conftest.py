"""Writes files in the formats under test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

WriteLines = Callable[..., Path]


@pytest.fixture
def write_lines(tmp_path: Path) -> WriteLines:
    """A function that writes objects as JSON and strings as they are, a line each, and returns the file."""

    def write(rows: Iterable[Any], name: str = "negatives.jsonl", end: str = "\n") -> Path:
        path = tmp_path / name
        lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
        path.write_text("\n".join(lines) + end, encoding="utf-8", newline="\n")
        return path

    return write
