"""The manual's page of commands says what the program says."""

from __future__ import annotations

from pathlib import Path

from negaudit.cli.app import command
from negaudit.cli.configuration import leaves
from negaudit.cli.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: python -m negaudit.cli.reference > docs/commands.md"


def test_the_page_has_every_command():
    for names, _ in leaves(command()):
        assert f"\n## negaudit {' '.join(names)}\n" in PAGE.read_text(encoding="utf-8")
