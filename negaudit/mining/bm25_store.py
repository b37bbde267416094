"""BM25 indexes that are kept: built once per corpus and parameters, and read through a memory map ever after."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from negaudit.data.text_column import TextColumn
from negaudit.errors import NegauditError
from negaudit.mining.bm25_index import Bm25Index, Bm25Parameters, backend_for
from negaudit.mining.bm25_place import OnDisk
from negaudit.resources import written_to_cache
from negaudit.text.tokenizers import get_tokenizer

LAYOUT = "bm25-1"
ARRAYS = ("data", "indices", "indptr")


def open_index(texts: TextColumn, content: str, parameters: Bm25Parameters, queries: int, cache: Path | None) -> Bm25Index:
    """Return the index of `texts`, whose digest is `content`: built in memory, or with `cache` the one kept there, built where it is not.

    A kept index is read through a memory map, so one larger than the memory can be searched. It is the same to the bit.
    Raises NegauditError where no text has a token or the cache cannot be written.
    """
    if cache is None:
        return Bm25Index.built(texts, parameters, queries)
    key = index_key(content, parameters)
    folder = cache / LAYOUT / key
    with _locked(folder):
        if not folder.is_dir():
            _build(folder, texts, parameters, queries)
    return _mapped(folder, parameters, queries * len(texts))


def index_key(content: str, parameters: Bm25Parameters) -> str:
    """Return what an index is kept under: the digest of the texts in their order, the parameters, and the version of bm25s."""
    body = {"texts": content, "parameters": asdict(parameters), "bm25s": version("bm25s")}
    return hashlib.blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=16).hexdigest()


def _build(folder: Path, texts: TextColumn, parameters: Bm25Parameters, queries: int) -> None:
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    with _writing(folder):
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
    try:
        with closing(OnDisk(unfinished)) as place:
            index = Bm25Index.built(texts, parameters, queries, place).index
        with _writing(folder):
            _save_rest(index, unfinished)
            unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)  # whatever ends it, gigabytes are not left behind
        raise


def _save_rest(index: Any, folder: Path) -> None:
    """Save vocabulary and parameters as bm25s does: it only saves them together with the arrays, which are in their files already."""
    index.scores = {**index.scores, **dict.fromkeys(ARRAYS, np.empty(0))}
    nothing = dict.fromkeys((f"{name}_name" for name in ARRAYS), "nothing.npy")
    index.save(folder, **nothing, show_progress=False)
    (folder / "nothing.npy").unlink()


def _mapped(folder: Path, parameters: Bm25Parameters, pairs: int) -> Bm25Index:
    import bm25s

    try:
        index = bm25s.BM25.load(folder, mmap=True, backend=backend_for(pairs), show_progress=False)
    except (OSError, ValueError) as error:
        raise NegauditError(f"{folder}: the kept BM25 index cannot be read ({error}); remove the folder, and it is built again") from error
    # Plain arrays over the same map: numba knows no other kind.
    index.scores.update({name: index.scores[name].view(np.ndarray) for name in ARRAYS})
    return Bm25Index(index, get_tokenizer(parameters.tokenizer))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process build at a time; another waits, and finds the index there."""
    import fcntl

    with ExitStack() as stack:
        with _writing(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(open(folder.with_name(f"{folder.name}.lock"), "w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _writing(folder: Path) -> AbstractContextManager[None]:
    return written_to_cache("a BM25 index", folder.parent)
