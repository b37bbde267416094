"""Where negaudit's own files lie: those that ship with it (in the package of a wheel, or at the root of a checkout), and its cache."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from negaudit.errors import NegauditError

Resource = Literal["recipes", "prompts", "scifact"]
_PACKAGE = Path(__file__).resolve().parent
# Resource -> its folder in the package, and in a checkout; pyproject.toml maps the second to the first in a wheel.
_PLACES: dict[Resource, tuple[str, str]] = {
    "recipes": ("controls/recipes", "controls"),
    "prompts": ("mining/prompts", "prompts"),
    "scifact": ("examples/scifact", "examples/scifact"),
}


def resource(name: Resource) -> Path:
    """Return the folder of a packaged resource: control recipes, prompt templates or the SciFact collection.

    Raises NegauditError where the installation lacks it.
    """
    packaged, in_checkout = _PLACES[name]
    for folder in (_PACKAGE / packaged, _PACKAGE.parent / in_checkout):
        if folder.is_dir():
            return folder
    raise NegauditError(f"this installation of negaudit lacks its {name} folder ({packaged}); install negaudit again")


@contextmanager
def written_to_cache(what: str, folder: Path, remedy: str = "give another cache folder (--cache or NEGAUDIT_CACHE)") -> Iterator[None]:
    """Say in one line what could not be written to which folder of the cache, and the remedy: raises NegauditError for an OSError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise NegauditError(f"cannot write {what} to {folder}: {reason}; {remedy}") from error


def cache_root() -> Path:
    """Return $NEGAUDIT_CACHE, else negaudit's folder in the user's cache folder of this platform.

    Raises NegauditError where the user has no home folder either.
    """
    if stated := os.environ.get("NEGAUDIT_CACHE"):
        return Path(stated).expanduser()
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "negaudit"
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    return Path(os.environ.get(variable) or _home() / ".cache") / "negaudit"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise NegauditError("there is no home folder to keep the cache in; name a folder in NEGAUDIT_CACHE") from error
