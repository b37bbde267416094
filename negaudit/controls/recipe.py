"""A recipe: what a control does to a source's negatives, read from a TOML file that a team can write without code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from negaudit.controls.kinds import known_kind
from negaudit.errors import NegauditError, unknown_name
from negaudit.resources import resource

Mode = Literal["independent", "count"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One control, named `name`.

    `kind` says what takes a negative's place (a name registered in negaudit.controls.kinds). Of a record's K negatives
    each is replaced with probability `fraction` (0 < fraction <= 1) where `mode` is "independent"; where it is "count",
    fraction * K of them are, rounded half to even. `base` names the source it starts from; None leaves that to the caller.
    """

    name: str
    kind: str
    fraction: float = 1.0
    mode: Mode = "independent"
    base: str | None = None
    description: str = ""

    def __post_init__(self) -> None:
        kind = known_kind(self.kind)
        if not 0 < self.fraction <= 1:
            raise NegauditError(f"control '{self.name}': fraction must be above 0 and at most 1, got {self.fraction}")
        if self.mode not in get_args(Mode):
            raise NegauditError(f"control '{self.name}': mode must be one of {', '.join(get_args(Mode))}, got '{self.mode}'")
        if kind.whole_list and self.fraction != 1:
            raise NegauditError(f"control '{self.name}': kind '{self.kind}' replaces whole lists and takes no fraction")

    @property
    def needs_encoder(self) -> bool:
        """Whether its kind can only be built with an encoder."""
        return known_kind(self.kind).needs_encoder

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as JSON-ready data."""
        return asdict(self)


_KEYS: dict[str, type | tuple[type, ...]] = {"kind": str, "fraction": (int, float), "mode": str, "base": str, "description": str}
assert set(_KEYS) == {field.name for field in fields(Recipe)} - {"name"}


def load_recipe(path: Path) -> Recipe:
    """Return the recipe in the TOML file at `path`, named by the file's stem.

    Raises NegauditError where the file is missing or no TOML, or a key is unknown, missing or of the wrong type.
    """
    try:
        body = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NegauditError(f"{path}: cannot read the recipe ({error.strerror or error})") from error
    except ValueError as error:
        raise NegauditError(f"{path}: not a TOML file ({error})") from error
    return _checked(path.stem, body, str(path))


def _checked(name: str, body: Mapping[str, Any], where: str) -> Recipe:
    unknown = sorted(set(body) - set(_KEYS))
    if unknown:
        raise NegauditError(f"{where}: unknown key{'s' * (len(unknown) > 1)} {', '.join(unknown)}; a recipe has: {', '.join(_KEYS)}")
    for key, value in body.items():
        if not isinstance(value, _KEYS[key]) or isinstance(value, bool):
            raise NegauditError(f"{where}: {key} must be a {'number' if key == 'fraction' else 'string'}, got {value!r}")
    if "kind" not in body:
        raise NegauditError(f"{where}: key kind is missing; it says what takes a negative's place")
    return Recipe(name, **body)


def inline_recipe(text: str) -> Recipe:
    """Return the recipe of a line like "own_10=own_positive,fraction=0.1,base=dense": its name, its kind, then keys as in a file.

    Raises NegauditError where the line is not of that form, or what it says is wrong.
    """
    name, _, rest = text.partition("=")
    kind, *settings = rest.split(",")
    pairs = [setting.partition("=") for setting in settings]
    if not name or not kind or not all(key and value for key, _, value in pairs):
        raise NegauditError(f"'{text}' is no recipe; expected NAME=KIND,KEY=VALUE,… such as own_10=own_positive,fraction=0.1,base=dense")
    body: dict[str, Any] = {"kind": kind}
    for key, _, value in pairs:
        if key in body:
            raise NegauditError(f"'{text}': key {key} is there twice")
        body[key] = _number(value) if key == "fraction" else value
    return _checked(name, body, f"'{text}'")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def choose_recipes(names: Sequence[str] | None, files: Sequence[Path] = (), lines: Sequence[str] = ()) -> list[Recipe]:
    """Return the shipped recipes of these names, then those in `files`, then those that `lines` say (inline_recipe).

    Without names it is all shipped ones, unless `lines` are given: who writes a recipe on the spot wants that one.
    Raises NegauditError for a name that no shipped recipe has.
    """
    shipped = {recipe.name: recipe for recipe in shipped_recipes()}
    for name in names or ():
        if name not in shipped:
            raise unknown_name("control", name, shipped)
    chosen = names or (() if lines else shipped)
    return [shipped[name] for name in chosen] + [load_recipe(path) for path in files] + [inline_recipe(line) for line in lines]


def shipped_recipes() -> list[Recipe]:
    """Return the recipes that come with negaudit, by name."""
    return [load_recipe(path) for path in sorted(resource("recipes").glob("*.toml"))]
