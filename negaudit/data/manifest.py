"""The JSON document that a finished run leaves last, read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negaudit.errors import NegauditError


def read_manifest(path: Path, schema: str, command: str) -> dict[str, Any]:
    """Return the document at `path`; raises NegauditError where it is missing, broken, or not of `schema`, which `command` writes."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NegauditError(f"{path}: no finished run there; give a folder that `{command}` wrote") from None
    except (OSError, ValueError, RecursionError) as error:
        raise NegauditError(f"{path}: cannot be read ({error}); was it written by `{command}`?") from error
    found = body.get("schema") if isinstance(body, dict) else None
    if found != schema:
        raise NegauditError(f"{path}: schema {found!r} is not {schema!r}, which `{command}` of this version writes")
    return dict(body)
