"""The profile of the checks: thresholds and settings by check, from TOML, a user's own on top of what is packaged."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negaudit.errors import NegauditError, unknown_name

PROFILES = Path(__file__).resolve().parent / "profiles"
PACKAGED = ("default", "strict")
COMPARISON = "comparison"


@dataclass(frozen=True)
class CheckProfile:
    """Settings by table: one table per check, and `comparison`. `name` is the packaged profile's or the file's stem."""

    name: str
    tables: Mapping[str, Mapping[str, float]]

    def of(self, check: str) -> Mapping[str, float]:
        """Return the settings of one check; empty where the profile has no table for it."""
        return self.tables.get(check, {})

    def as_dict(self) -> dict[str, Any]:
        """Return the profile as JSON-ready data."""
        return {"name": self.name, **{name: dict(table) for name, table in self.tables.items()}}


def load_profile(profile: str | Path | None = None) -> CheckProfile:
    """Return the packaged profile of that name (None: default), or a TOML file's tables on top of the default ones.

    A file states only what it changes. Raises NegauditError where it cannot be read, and for a table or key that the default profile
    lacks, or a value that is no number.
    """
    default = _read(PROFILES / "default.toml")
    if profile is None or str(profile) == "default":
        return CheckProfile("default", default)
    path = PROFILES / f"{profile}.toml" if str(profile) in PACKAGED else Path(profile)
    tables = {name: dict(table) for name, table in default.items()}
    for name, table in _read(path).items():
        if name not in tables:
            raise NegauditError(f"{path}: {unknown_name('check', name, tables)}")
        tables[name] |= _checked(path, name, table, default[name])
    return CheckProfile(path.stem, tables)


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        body = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NegauditError(f"profile {path}: cannot be read ({error.strerror or error}); give default, strict or a TOML file") from error
    except ValueError as error:
        raise NegauditError(f"profile {path}: not a TOML file ({error})") from error
    loose = sorted(name for name, table in body.items() if not isinstance(table, dict))
    if loose:
        raise NegauditError(f"profile {path}: key {loose[0]} is outside a table; write it under [CHECK]")
    return body


def _checked(path: Path, name: str, table: Mapping[str, Any], known: Mapping[str, Any]) -> Mapping[str, float]:
    for key, value in table.items():
        if key not in {*known, "info", "warn", "error"}:
            raise NegauditError(f"{path} [{name}]: {unknown_name('key', key, {*known, 'info', 'warn', 'error'})}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise NegauditError(f"{path} [{name}]: {key} must be a number of at least 0, got {value!r}")
    return table
