"""A sentence-transformers model, loaded safely and asked only for plain vectors."""

from __future__ import annotations

import importlib.util
import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.encoding.contract import Kind, Precision
from negaudit.encoding.model_folder import ModelFolder
from negaudit.encoding.products import multiplied_by_mkl
from negaudit.errors import MissingExtraError, NegauditError, unknown_name

_DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
_TASKS = {"query": "query", "passage": "document"}
_TOKENIZED_AT_ONCE = 1024
_SHARES_PER_DEVICE, _MOST_SHARES = 4, 64


class SentenceModel:
    """The model in `folder` on `device`, or on several devices named with commas between them.

    Raises NegauditError where it cannot be loaded there.
    """

    def __init__(self, folder: ModelFolder, device: str, precision: Precision, max_length: int) -> None:
        self.require()
        if precision not in _DTYPES:
            raise unknown_name("precision", precision, _DTYPES)
        if max_length < 3:
            raise NegauditError(f"maximum length {max_length} is too short: expected 3 tokens or more, two of which a model may use")
        self._precision = precision
        self._devices = [_device(name.strip()) for name in device.split(",")]
        self._model = _load(folder, self._devices[0], _DTYPES[precision])
        self._pool: Any = None
        if len(self._devices) == 1:
            _lock_tokenizer(self._model)
        self.max_length = self._limit(max_length)
        if self.max_length is not None:
            self._model.max_seq_length = self.max_length

    @staticmethod
    def require() -> None:
        """Raise MissingExtraError unless sentence-transformers and torch are installed."""
        if any(importlib.util.find_spec(package) is None for package in ("sentence_transformers", "torch")):
            raise MissingExtraError("encoding", "encoder")

    @property
    def device(self) -> str:
        """The torch device, such as cpu or cuda:0."""
        return str(self._model.device)

    @property
    def device_type(self) -> str:
        """cpu, cuda or mps."""
        return str(self._model.device.type)

    @property
    def dimension(self) -> int:
        """The length of the vectors that `encode` returns."""
        return int(self._model.get_embedding_dimension() or self.encode(["a"], "", "passage").shape[1])

    @property
    def dims(self) -> int | None:
        """The leading dimensions that the model's own configuration keeps, None for all."""
        return None if self._model.truncate_dim is None else int(self._model.truncate_dim)

    @property
    def pooling(self) -> str:
        """The pooling modes joined by +, with a note where the prefix is left out of them; without pooling, the first module's class."""
        from sentence_transformers.sentence_transformer.modules import Pooling

        for module in self._model:
            if isinstance(module, Pooling):
                modes = [module.pooling_mode] if isinstance(module.pooling_mode, str) else list(module.pooling_mode)
                return "+".join(modes) + ("" if module.include_prompt else " (without prompt)")
        return type(self._model[0]).__name__

    @property
    def routed(self) -> bool:
        """Whether the model sends queries and passages through different modules."""
        from sentence_transformers.base.modules import Router

        return any(isinstance(module, Router) for module in self._model)

    def prompt(self, *names: str) -> str:
        """Return the first non-empty prompt among `names` that the model brings along, else the empty string."""
        return next((prompt for name in names if (prompt := self._model.prompts.get(name))), "")

    def token_counts(self, texts: Sequence[str], prefix: str) -> npt.NDArray[np.int64]:
        """Return each text's length in tokens before truncation, with prefix and special tokens."""
        parts = [
            self._lengths([prefix + texts[i] for i in range(start, min(len(texts), start + _TOKENIZED_AT_ONCE))])
            for start in range(0, len(texts), _TOKENIZED_AT_ONCE)
        ]
        return np.array([length for part in parts for length in part], np.int64)

    def encode(self, texts: list[str], prefix: str, kind: Kind) -> npt.NDArray[np.float32]:
        """Return the vectors of `texts`, run as one batch, as the model gives them: float32 of shape (n, dimension)."""
        options: dict[str, Any] = {"task": _TASKS[kind]} if self.routed else {}
        size = len(texts)
        if self._pool is not None:
            size = -(-size // self.shares)
            options |= {"pool": self._pool, "chunk_size": size}
        vectors = self._model.encode(texts, prompt=prefix, batch_size=size, show_progress_bar=False, convert_to_numpy=True, **options)
        return np.asarray(vectors, np.float32)

    @property
    def shares(self) -> int:
        """Into how many batches `encode` divides its texts: 1, or several for each of several devices."""
        return 1 if len(self._devices) == 1 else min(_MOST_SHARES, _SHARES_PER_DEVICE * len(self._devices))

    @contextmanager
    def encoding(self) -> Iterator[None]:
        """Have what many calls of `encode` share: a process for each device where several are used, else the library that multiplies."""
        if len(self._devices) == 1:
            with multiplied_by_mkl() if self.device_type == "cpu" and self._precision == "fp32" else nullcontext():
                yield
            return
        self._pool = self._model.start_multi_process_pool(self._devices)
        try:
            yield
        finally:
            self._model.stop_multi_process_pool(self._pool)
            self._pool = None

    def _limit(self, wanted: int) -> int | None:
        config = getattr(self._model.transformers_model, "config", None)
        limits = [self._model.max_seq_length, getattr(config, "max_position_embeddings", None)]
        if limits[0] is not None and math.isinf(limits[0]):
            return None
        return min([wanted, *(int(limit) for limit in limits if limit)])

    def _lengths(self, texts: list[str]) -> list[int]:
        tokenizer = self._model.tokenizer
        if callable(tokenizer):
            options = {"truncation": False, "padding": False, "return_attention_mask": False, "verbose": False}
            return [len(ids) for ids in tokenizer(texts, **options)["input_ids"]]
        if hasattr(tokenizer, "encode_batch"):
            return [len(encoding.ids) for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
        return [len(text.split()) for text in texts]


def _device(device: str) -> str:
    import torch

    if device == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NegauditError(f"device '{device}' cannot be used ({reason}); expected auto, cpu, cuda, cuda:N or mps") from error
    return device


def _load(folder: ModelFolder, device: str, dtype: str) -> Any:
    import torch
    from sentence_transformers import SentenceTransformer

    options = {"dtype": getattr(torch, dtype), "use_safetensors": True}
    try:
        with _quiet():
            model = SentenceTransformer(
                str(folder.path), device=device, trust_remote_code=False, local_files_only=True, model_kwargs=options
            )
    except Exception as error:  # loading runs code of several libraries, and whatever it raises means that the folder is no model
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise NegauditError(f"encoder {folder.path}: cannot be loaded ({reason}); expected a sentence-transformers folder") from error
    return model.eval()


def _lock_tokenizer(model: Any) -> None:
    """Let one thread at a time tokenize: a tokenizer sets its padding on itself. The device computes meanwhile."""
    lock, preprocess = threading.Lock(), model.preprocess

    def locked(*arguments: Any, **options: Any) -> Any:
        with lock:
            return preprocess(*arguments, **options)

    model.preprocess = locked


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers' own loading bar off stderr, where negaudit's progress goes."""
    from transformers.utils import logging as untyped

    logging: Any = untyped
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
