"""The checks by name: each is one small class in a file of its own; two of one name are an error."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from negaudit.auditing.checks.contract import Check
from negaudit.errors import unknown_name

_CHECKS: dict[str, type[Check]] = {}
# In the order of reports: what was put in, labels, near misses, the set as a whole, single texts. Importing one registers it.
_MODULES = (
    "unrelated",
    "own_positive",
    "label_conflict",
    "cross_positive",
    "neighbor",
    "false_negative_risk",
    "too_easy",
    "surface_leak",
    "hubs",
    "diversity",
    "repeats",
    "query_echo",
    "short",
    "truncated",
    "encoding",
    "script",
)


def register(check: type[Check]) -> type[Check]:
    """Make a class known under its `name`; raises ValueError where the name is taken."""
    if check.name in _CHECKS:
        raise ValueError(f"check '{check.name}' is registered already, by {_CHECKS[check.name].__qualname__}")
    _CHECKS[check.name] = check
    return check


def all_checks() -> dict[str, type[Check]]:
    """Return the checks by name, in the order of reports; those registered by others come last."""
    for module in _MODULES:
        import_module(f"negaudit.auditing.checks.{module}")
    return dict(sorted(_CHECKS.items(), key=lambda item: _MODULES.index(item[0]) if item[0] in _MODULES else len(_MODULES)))


def chosen_checks(names: Iterable[str] | None) -> dict[str, type[Check]]:
    """Return the checks of these names (None: all); raises NegauditError that lists the checks where there is none of a name."""
    known = all_checks()
    for name in names or ():
        if name not in known:
            raise unknown_name("check", name, known)
    return known if names is None else {name: known[name] for name in names}
