"""Puts every page that the navigation does not name under Reference, so that a page written beside its code is never lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    """Add the pages of docs/ that are nowhere in the navigation, in the order of their names."""
    docs = Path(config["docs_dir"])
    named = set(_pages(config["nav"]))
    found = sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))
    reference = next(part["Reference"] for part in config["nav"] if "Reference" in part)
    reference.extend(page for page in found if page not in named and not page.startswith("."))
    return config


def _pages(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [page for part in parts for page in _pages(part)]
