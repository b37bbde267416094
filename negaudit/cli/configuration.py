"""Where options get their values: the command line, else the environment, else negaudit.toml, else their defaults."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperOption

from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from typer._click.core import Command

FILE_NAME = "negaudit.toml"
# Read by negaudit itself, or left to its tests.
_OTHER_VARIABLES = ("NEGAUDIT_DEBUG", "NEGAUDIT_CACHE", "NEGAUDIT_API_KEY")
_TEST_VARIABLES = "NEGAUDIT_TEST_"


def leaves(command: Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Yield (names after the program's, command) for each command that does something, in the order of registration."""
    subcommands: Mapping[str, Command] | None = getattr(command, "commands", None)
    if subcommands is None:
        yield path, command
        return
    for name, subcommand in subcommands.items():
        yield from leaves(subcommand, (*path, name))


def options(command: Command) -> dict[str, TyperOption]:
    """Return the command's options by their long name without dashes in front ("max-length")."""
    return {_long_name(option): option for option in command.params if isinstance(option, TyperOption)}


def apply_environment(root: Command) -> None:
    """Tie every option of every command to its variable: --max-length to NEGAUDIT_MAX_LENGTH."""
    for _, command in leaves(root):
        for name, option in options(command).items():
            option.envvar = _variable(name)
            option.show_envvar = False  # the program's help says it once for all


def unknown_variables(root: Command) -> list[str]:
    """Return the variables NEGAUDIT_… that are set but belong to nothing, sorted."""
    known = {_variable(name) for _, command in leaves(root) for name in options(command)} | set(_OTHER_VARIABLES)
    return sorted(
        name for name in os.environ if name.startswith("NEGAUDIT_") and name not in known and not name.startswith(_TEST_VARIABLES)
    )


def defaults_from_file(root: Command, path: Path | None = None) -> dict[str, Any]:
    """Return what negaudit.toml says as nested defaults, command by command; {} where there is no such file.

    A key at the top is for every command that has the option; one in a table ([score], [mine.bm25]) for that command alone,
    and comes first. Raises NegauditError for a file that is no TOML and for a key or table that nothing takes.
    """
    path = path or Path(FILE_NAME)
    if not path.is_file():
        return {}
    try:
        body = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NegauditError(f"{path}: cannot be read as TOML ({error})") from error
    commands = {names: options(command) for names, command in leaves(root)}
    shared = {key: value for key, value in body.items() if not isinstance(value, dict)}
    tables = dict(_tables({key: value for key, value in body.items() if isinstance(value, dict)}, commands, path))
    _check_keys(shared, {name for known in commands.values() for name in known}, f"{path}")
    defaults: dict[str, Any] = {}
    for names, known in commands.items():
        own = tables.get(names, {})
        _check_keys(own, set(known), f"{path} [{'.'.join(names)}]")
        node = defaults
        for name in names:
            node = node.setdefault(name, {})
        node.update({known[key].name: value for key, value in {**shared, **own}.items() if key in known})
    return defaults


def _tables(
    body: Mapping[str, Any], commands: Mapping[tuple[str, ...], Any], path: Path, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield (command names, its table) for the tables of the file; those of a group hold tables only."""
    for key, value in body.items():
        names = (*above, key)
        if names in commands and isinstance(value, dict):
            yield names, value
        elif isinstance(value, dict) and any(known[: len(names)] == names for known in commands):
            yield from _tables(value, commands, path, names)
        else:
            _check_keys({".".join(names): value}, {".".join(known) for known in commands}, f"{path}", "table")


def _check_keys(found: Mapping[str, Any], known: set[str], where: str, noun: str = "key") -> None:
    for key in found:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise NegauditError(f"{where}: unknown {noun} '{key}'{hint} (valid: {', '.join(sorted(known))})")


def _long_name(option: TyperOption) -> str:
    return max(option.opts, key=len).lstrip("-")


def _variable(name: str) -> str:
    return "NEGAUDIT_" + name.replace("-", "_").upper()
