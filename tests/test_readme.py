"""The README's commands are those of the program, and its set-up commands are what .ci/run extracts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from negaudit.cli.app import command
from negaudit.cli.configuration import leaves, options

REPOSITORY = Path(__file__).resolve().parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def commands() -> dict[str, set[str]]:
    """The program's commands and their options."""
    return {" ".join(names): {f"--{name}" for name in options(leaf)} for names, leaf in leaves(command())}


def in_shell_blocks() -> list[str]:
    """The README's shell lines, continued ones joined."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]


@pytest.mark.parametrize(("marker", "end"), [("demo command", "bin/negaudit demo"), ("test command", "bin/python -m pytest")])
def test_each_set_up_command_is_one_line_between_its_markers_with_the_tested_versions(marker, end):
    between = re.findall(f"<!-- {marker} -->\n```sh\n(.*)\n```\n<!-- end of {marker} -->", README)
    assert len(between) == 1
    assert between[0].endswith(end)
    assert " -c constraints.txt " in between[0]


def test_every_command_shown_exists_with_its_options():
    known = commands()
    shown = [line for line in in_shell_blocks() if re.search(r"(^|/)negaudit ", line)]
    assert shown
    for line in shown:
        words = re.split(r"(?:^|/)negaudit ", line)[-1].split()
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in known), None)
        assert name, f"README shows an unknown command: {line}"
        assert {word for word in words if word.startswith("--")} <= known[name], line


def test_ci_runs_the_readme_s_test_command():
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    assert 'readme_command "test command"' in script
    assert "-m pytest" not in script  # it has no test command of its own
