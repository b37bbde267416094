"""Cross-encoders: a model that reads query and passage together scores the candidates in the miner's place."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.encoding.model_folder import find_model
from negaudit.errors import MissingExtraError, NegauditError

BATCH_SIZE = 32


class CrossEncoder:
    """A sentence-transformers cross-encoder and what describes it; scores come through the model's own activation."""

    def __init__(self, model: Any, description: dict[str, Any]) -> None:
        self._model = model
        self.description = description

    def scores(self, query: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the score of each passage for `query`."""
        pairs = [(query, passage) for passage in passages]
        found = self._model.predict(pairs, batch_size=BATCH_SIZE, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(found, np.float32).reshape(len(pairs))


def load_cross_encoder(model: str | Path, *, max_length: int | None = None, device: str = "auto") -> CrossEncoder:
    """Return the cross-encoder in a folder or of a hub id; `max_length` counts the tokens of a pair (None: the model's own limit).

    Raises MissingExtraError where sentence-transformers is missing, NegauditError where the model is no cross-encoder with one output.
    """
    if any(importlib.util.find_spec(package) is None for package in ("sentence_transformers", "torch")):
        raise MissingExtraError("scoring with a cross-encoder", "encoder")
    folder = find_model(model)
    loaded = _loaded(folder.path, max_length, None if device == "auto" else device)
    if loaded.config.num_labels != 1:
        raise NegauditError(f"cross-encoder {folder.name}: {loaded.config.num_labels} outputs per pair; expected one score")
    return CrossEncoder(loaded, {"model": folder.name, "weights": folder.digest(), "max_length": max_length})


def _loaded(path: Path, max_length: int | None, device: str | None) -> Any:
    from sentence_transformers import CrossEncoder as Model

    load: Callable[..., Any] = Model
    options = {"trust_remote_code": False, "local_files_only": True, "model_kwargs": {"use_safetensors": True}}
    try:
        return load(str(path), max_length=max_length, device=device, **options)
    except Exception as error:  # loading runs code of several libraries, and whatever it raises means that the folder is no model
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise NegauditError(f"cross-encoder {path.name}: cannot be loaded ({reason}); expected a folder or hub id") from error
