"""Where the files that ship with negaudit lie: inside the package of a wheel, or at the root of a checkout."""

from __future__ import annotations

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
