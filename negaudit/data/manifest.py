"""The JSON document that a finished run leaves last, read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negaudit.data.shape import Shape, misfit
from negaudit.errors import NegauditError


def read_manifest(path: Path, schema: str, command: str, shape: Shape | None = None) -> dict[str, Any]:
    """Return the document at `path`.

    Raises NegauditError where it is missing, broken, not of `schema`, which `command` writes, or lacks what `shape` asks for.
    """
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NegauditError(f"{path}: no finished run there; give a folder that `{command}` wrote") from None
    except (OSError, ValueError, RecursionError) as error:
        raise NegauditError(f"{path}: cannot be read ({error}); was it written by `{command}`?") from error
    found = body.get("schema") if isinstance(body, dict) else None
    if found != schema:
        raise NegauditError(f"{path}: schema {found!r} is not {schema!r}, which `{command}` of this version writes")
    if shape is not None and (wrong := misfit(body, shape)):
        raise NegauditError(f"{path}: not as `{command}` writes it ({wrong}); was it changed by hand? Run `{command}` again")
    return dict(body)
