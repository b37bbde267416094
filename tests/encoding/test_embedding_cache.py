"""The cache gives back what was put in, loses at most the unfinished batch, and survives several writers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from negaudit.encoding.cache import ENTRY, EmbeddingCache, default_cache_root, text_keys
from negaudit.encoding.contract import EncoderContract
from negaudit.errors import NegauditError

CONTRACT = EncoderContract(model="m", weights="w", query_prefix="", passage_prefix="", pooling="mean", max_length=8, dimension=4)


def add(cache: EmbeddingCache, texts: list[str]) -> None:
    keys = text_keys(texts, "")
    vectors = np.arange(len(texts) * 4, dtype=np.float32).reshape(-1, 4) + len(texts[0])
    with cache.writing() as writer:
        writer.append(keys, np.arange(len(texts)) + 3, np.ones(len(texts), np.bool_), vectors)


def test_rows_come_back_by_key_with_vectors_lengths_and_flags(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path, CONTRACT)
    with cache.writing() as writer:
        vectors = np.eye(4, dtype=np.float32)[:2]
        writer.append(text_keys(["a", "b"], ""), np.array([3, 9]), np.array([True, False]), vectors)
    cached = EmbeddingCache(tmp_path, CONTRACT).read()
    rows = cached.find(text_keys(["b", "never seen", "a"], ""))
    assert rows.tolist() == [1, -1, 0]
    assert np.array_equal(cached.vectors[rows[[0, 2]]], vectors[[1, 0]])
    assert cached.tokens[rows[0]] == 9
    assert not cached.usable[rows[0]]


@pytest.mark.parametrize("file", ["keys.bin", "vectors.f32"])
@pytest.mark.parametrize("lost", [1, 16, ENTRY.itemsize, 2 * ENTRY.itemsize])
def test_a_torn_tail_costs_the_unfinished_batch_and_no_other(tmp_path: Path, file: str, lost: int) -> None:
    cache = EmbeddingCache(tmp_path, CONTRACT)
    first, second = ["a", "b", "c"], ["dd", "ee", "ff"]
    add(cache, first)
    whole = (cache.folder / "vectors.f32").read_bytes()
    add(cache, second)
    complete = {name: (cache.folder / name).read_bytes() for name in ("keys.bin", "vectors.f32")}
    os.truncate(cache.folder / file, len(complete[file]) - lost)
    again = EmbeddingCache(tmp_path, CONTRACT)
    assert again.read().find(text_keys(first + second, "")).tolist() == [0, 1, 2, -1, -1, -1]
    assert np.array_equal(again.read().vectors, np.frombuffer(whole, "<f4").reshape(-1, 4))
    add(again, second)
    assert {name: (cache.folder / name).read_bytes() for name in complete} == complete


def test_the_prefix_is_part_of_the_key() -> None:
    assert len(set(text_keys(["text"], "").tolist() + text_keys(["text"], "query: ").tolist())) == 2
    assert text_keys(["b"], "a").tolist() != text_keys(["ab"], "").tolist()


def test_keys_that_end_in_zero_bytes_are_found(tmp_path: Path) -> None:
    keys = np.array([b"x" * 15 + b"\0", b"x" * 14 + b"\0\0"], "S16")
    cache = EmbeddingCache(tmp_path, CONTRACT)
    with cache.writing() as writer:
        writer.append(keys, np.array([1, 1]), np.array([True, True]), np.zeros((2, 4), np.float32))
    assert cache.read().find(keys).tolist() == [0, 1]


def test_contracts_do_not_share_rows(tmp_path: Path) -> None:
    from dataclasses import replace

    add(EmbeddingCache(tmp_path, CONTRACT), ["a"])
    other = EmbeddingCache(tmp_path, replace(CONTRACT, query_prefix="query: "))
    assert other.read().find(text_keys(["a"], "")).tolist() == [-1]


WRITER = """
import sys, numpy as np
from pathlib import Path
from negaudit.encoding.cache import EmbeddingCache, text_keys
from negaudit.encoding.contract import EncoderContract
cache = EmbeddingCache(Path(sys.argv[1]), {contract!r})
for i in range(60):
    texts = [f"{{sys.argv[2]}} {{i}} {{j}}" for j in range(20)]
    with cache.writing() as writer:
        vectors = np.array([[float(sys.argv[2]), i, j, 1] for j in range(20)], np.float32)
        writer.append(text_keys(texts, ""), np.full(20, 5), np.ones(20, np.bool_), vectors)
"""


def test_processes_that_write_at_once_keep_every_row_whole(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    code = WRITER.format(contract=CONTRACT)
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(n)], env=environment) for n in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    cached = EmbeddingCache(tmp_path, CONTRACT).read()
    assert len(cached.keys) == 3 * 60 * 20
    for n in range(3):
        rows = cached.find(text_keys([f"{n} {i} {j}" for i in range(60) for j in range(20)], ""))
        expected = np.array([[n, i, j, 1] for i in range(60) for j in range(20)], np.float32)
        assert np.array_equal(cached.vectors[rows], expected)


def test_a_root_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(NegauditError, match=r"cannot write embeddings to .*file.*NEGAUDIT_CACHE") as caught:
        EmbeddingCache(tmp_path / "file", CONTRACT)
    assert "\n" not in str(caught.value)


def test_the_environment_names_the_default_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEGAUDIT_CACHE", str(tmp_path))
    assert default_cache_root() == tmp_path
    monkeypatch.delenv("NEGAUDIT_CACHE")
    assert default_cache_root().name == "negaudit"
