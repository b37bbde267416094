"""Runs the program in a folder of its own, with no setting of the outside left."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from negaudit.cli.app import run


@dataclass(frozen=True)
class Ran:
    """What a run left: its exit code, and what it wrote to stdout and stderr."""

    code: int
    out: str
    err: str


Negaudit = Callable[..., Ran]


@pytest.fixture
def negaudit(tmp_path, monkeypatch, capsys) -> Negaudit:
    """A function that runs the program with the given arguments in tmp_path and returns what came of it."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("NEGAUDIT_") and name != "NEGAUDIT_CACHE"]:
        monkeypatch.delenv(name)

    def call(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        written = capsys.readouterr()
        return Ran(code, written.out, written.err)

    return call
