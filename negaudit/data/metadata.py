"""What a source file says about itself: how each origin was made, from what, and what was left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from negaudit.errors import NegauditError

SCHEMA = "negaudit.source/1"
KEY = b"negaudit"
Role = Literal["genuine", "candidate", "control"]
ROLES: tuple[Role, ...] = ("genuine", "candidate", "control")


@dataclass(frozen=True, slots=True)
class Account:
    """How many were read, used and rejected by reason: read = used + the sum of rejected."""

    read: int
    used: int
    rejected: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.read != self.used + sum(self.rejected.values()):
            raise ValueError(f"account does not add up: read {self.read}, used {self.used}, rejected {dict(self.rejected)}")

    def as_dict(self) -> dict[str, Any]:
        """Return the account as JSON-ready data, reasons sorted."""
        return {"read": self.read, "used": self.used, "rejected": dict(sorted(self.rejected.items()))}


@dataclass(frozen=True, slots=True)
class SourceMetadata:
    """The `negaudit` metadata of a source file; it holds no time stamps, so equal input gives equal bytes.

    `origins` maps an origin's name to how it was made (method, parameters, contract, seed, versions);
    `inputs` maps an input's name to its fingerprint; `counts` maps what was counted to its account.
    """

    name: str
    role: Role = "candidate"
    origins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise NegauditError(f"unknown role '{self.role}': expected one of {', '.join(ROLES)}")
        if self.name in ("", ".", "..") or not self.name.isprintable() or set(self.name) & set("/\\"):
            # Results go to a folder of the source's name.
            raise NegauditError(f"source name {self.name!r} cannot name a folder; give a name without slashes and control characters")

    def with_role(self, role: Role) -> SourceMetadata:
        """Return the same metadata under another role."""
        return replace(self, role=role)

    def to_json(self) -> str:
        """Return the metadata as canonical JSON (sorted keys); raises ValueError for NaN, TypeError for what JSON has no form for."""
        body = {
            "schema": SCHEMA,
            "name": self.name,
            "role": self.role,
            "origins": self.origins,
            "inputs": self.inputs,
            "counts": self.counts,
            "details": self.details,
        }
        return json.dumps(body, sort_keys=True, ensure_ascii=False, allow_nan=False, default=_plain)

    @classmethod
    def from_json(cls, text: str | bytes, where: str) -> SourceMetadata:
        """Return the metadata that `text` holds; raises NegauditError, naming `where`, where it is of another schema or not whole."""
        try:
            body = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise NegauditError(f"{where}: the negaudit metadata is not JSON ({error})") from error
        if not isinstance(body, dict) or body.get("schema") != SCHEMA:
            found = body.get("schema") if isinstance(body, dict) else type(body).__name__
            raise NegauditError(f"{where}: metadata schema {found!r} is not {SCHEMA!r}; written by another version of negaudit?")
        mappings = {key: body.get(key) or {} for key in ("origins", "inputs", "counts", "details")}
        wrong = [key for key, value in mappings.items() if not isinstance(value, dict)]
        wrong += [key for key in ("origins", "counts") if key not in wrong and not all(isinstance(v, dict) for v in mappings[key].values())]
        wrong += [key for key in ("name", "role") if not isinstance(body.get(key), str)]
        if wrong:
            raise NegauditError(f"{where}: the negaudit metadata lacks a proper {', '.join(sorted(wrong))}; write the file again")
        try:
            return cls(name=body["name"], role=body["role"], **mappings)
        except NegauditError as error:
            raise NegauditError(f"{where}: {error}") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"it holds {name}")


def _plain(value: object) -> object:
    """Return read-only mappings as what JSON can hold."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"metadata holds a {type(value).__name__}, which JSON has no form for")
