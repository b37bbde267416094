"""A kept BM25 index is built once per corpus and parameters, is the same to the bit, and survives a kill while it is built."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from negaudit.data.text_column import TextColumn
from negaudit.errors import NegauditError
from negaudit.mining import bm25_index, bm25_terms
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.bm25_index import Bm25Index, Bm25Parameters, _in_columns, _stretches
from negaudit.mining.bm25_place import OnDisk
from negaudit.mining.bm25_store import ARRAYS, LAYOUT, index_key
from negaudit.mining.mining_task import texts_key
from negaudit.text.tokenizers import get_tokenizer
from tests.conftest import WriteBeir


def kept(cache: Path) -> list[Path]:
    return sorted(path for path in (cache / LAYOUT).iterdir() if path.is_dir())


@pytest.mark.parametrize("worth_compiling", [0, 10**12], ids=["numba", "numpy"])
def test_a_kept_index_gives_the_same_source(
    xquad: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worth_compiling: int
) -> None:
    fresh = mine_bm25(xquad).fingerprint()
    assert mine_bm25(xquad, cache=tmp_path).fingerprint() == fresh
    monkeypatch.setattr(bm25_index, "WORTH_COMPILING", worth_compiling)
    monkeypatch.setattr(Bm25Index, "built", None)  # it is not built again
    assert mine_bm25(xquad, cache=tmp_path).fingerprint() == fresh


@pytest.mark.parametrize("at_once", [1, 1000, 20_000])
def test_an_index_built_on_disk_is_the_one_built_in_memory(
    xquad: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    mine_bm25(xquad, cache=tmp_path)
    [folder] = kept(tmp_path)
    scores = Bm25Index.built(TextColumn(xquad.passages["text"]), Bm25Parameters(), 1).index.scores
    for part in ARRAYS:
        assert np.array_equal(np.load(folder / f"{part}.csc.index.npy"), scores[part])
    assert len(list(folder.iterdir())) == 5, "three arrays, the vocabulary and the parameters"
    monkeypatch.setattr(OnDisk, "at_once", at_once)
    mine_bm25(xquad, cache=tmp_path / "in stretches")
    [stretched] = kept(tmp_path / "in stretches")
    assert {file.name: file.read_bytes() for file in stretched.iterdir()} == {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_pass_places_the_scores_of_its_stretch_and_no_others() -> None:
    terms, held_by = np.array([3, 0, 2, 0, 3, 1], np.int32), np.array([2, 1, 1, 2])
    filled = np.concatenate([[0], np.cumsum(held_by)])[:-1]
    order, target = _in_columns(terms, 1, 3, filled)
    assert (terms[order].tolist(), order.tolist(), target.tolist()) == ([1, 2], [5, 2], [2, 3])
    assert filled.tolist() == [0, 3, 4, 4]
    assert list(_stretches(np.array([0, 2, 3, 4, 6, 20]), 3)) == [(0, 2), (2, 4), (4, 5)]


def test_a_corpus_without_a_token_leaves_no_index_behind(write_beir: WriteBeir, tmp_path: Path) -> None:
    collection = open_collection(
        write_beir([{"_id": "a", "title": "", "text": "…"}], [{"_id": "q", "text": "x"}], ["q\ta\t1"], name="dots")
    )
    with pytest.raises(NegauditError, match="no passage has a token"):
        mine_bm25(collection, cache=tmp_path / "cache")
    assert not [path for path in (tmp_path / "cache" / LAYOUT).iterdir() if path.is_dir()]


def test_a_disk_without_room_is_one_line(xquad: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(NegauditError, match=r"cannot write a BM25 index to .*: No space left.*NEGAUDIT_CACHE"):
        mine_bm25(xquad, cache=tmp_path)
    assert not kept(tmp_path)


def test_other_texts_and_other_parameters_have_an_index_of_their_own(tiny_collection: Collection, tmp_path: Path) -> None:
    mine_bm25(tiny_collection, cache=tmp_path)
    mine_bm25(tiny_collection, k=3, name="other", cache=tmp_path)
    assert len(kept(tmp_path)) == 1
    for options in ({"k1": 0.9}, {"b": 0.4}, {"method": "robertson"}, {"tokenizer": "char3"}):
        mine_bm25(tiny_collection, cache=tmp_path, **options)  # type: ignore[arg-type]
    turned = replace(tiny_collection, passages=tiny_collection.passages.take([3, 2, 1, 0]))
    mine_bm25(turned, cache=tmp_path)
    assert len(kept(tmp_path)) == 6


def test_an_unfinished_index_is_built_again(tiny_collection: Collection, tmp_path: Path) -> None:
    key = index_key(texts_key(tiny_collection.passages["text"]), Bm25Parameters())
    unfinished = tmp_path / LAYOUT / f"{key}.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "data.csc.index.npy").write_bytes(b"torn")
    assert mine_bm25(tiny_collection, cache=tmp_path).fingerprint() == mine_bm25(tiny_collection).fingerprint()
    assert kept(tmp_path) == [tmp_path / LAYOUT / key]


def test_a_broken_index_is_one_line_that_says_what_to_do(tiny_collection: Collection, tmp_path: Path) -> None:
    mine_bm25(tiny_collection, cache=tmp_path)
    (kept(tmp_path)[0] / "data.csc.index.npy").write_bytes(b"torn")
    with pytest.raises(NegauditError, match="remove the folder"):
        mine_bm25(tiny_collection, cache=tmp_path)


def test_the_key_of_texts_depends_on_texts_and_order_not_on_chunks() -> None:
    texts = ["", "a", "bc", "ü", "bc"]
    whole = pa.chunked_array([pa.array(texts, pa.large_string())])
    parts = pa.chunked_array([pa.array(texts[:2], pa.string()), pa.array(texts, pa.string()).slice(2)])
    assert texts_key(whole) == texts_key(parts)
    others = (["a", "", "bc", "ü", "bc"], ["", "ab", "c", "ü", "bc"], texts[:-1])
    assert len({texts_key(pa.chunked_array([pa.array(other)])) for other in (texts, *others)}) == 4


def test_the_positives_scores_are_those_of_the_ranking(xquad: Collection) -> None:
    ranked = mine_bm25(xquad, k=240)
    index = Bm25Index.built(TextColumn(xquad.passages["text"]), Bm25Parameters(), 1)
    ids = xquad.passages["id"].to_pylist()
    record = next(iter(ranked.records()))
    scores = index.scores(index.query_terms([record.query])[0])
    assert all(np.float32(negative.score or 0) == scores[ids.index(negative.id)] for negative in record.negatives)


@pytest.mark.parametrize(
    "parameters", [Bm25Parameters(), Bm25Parameters("robertson", 0.9, 0.4), Bm25Parameters("atire", 1.2, 1.0, "words")]
)
def test_the_index_is_bm25s_own_to_the_bit(stackfaq: Collection, parameters: Bm25Parameters, monkeypatch: pytest.MonkeyPatch) -> None:
    import bm25s

    texts = TextColumn(stackfaq.passages["text"])
    monkeypatch.setattr(bm25_terms, "PLAIN_BYTES", 50_000)
    index = Bm25Index.built(texts, parameters, 1).index
    tokenizer = get_tokenizer(parameters.tokenizer)
    theirs = bm25s.BM25(k1=parameters.k1, b=parameters.b, method=parameters.method)
    ids = [[index.vocab_dict[token] for token in tokenizer.tokens(text)] for text in texts]
    theirs.index((ids, dict(index.vocab_dict)), create_empty_token=False, show_progress=False)
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(index.scores[part], theirs.scores[part])
    monkeypatch.setattr(bm25_terms, "WORTH_A_KERNEL", 0)
    monkeypatch.setattr(bm25_terms, "KERNEL_BYTES", 50_000)
    compiled = Bm25Index.built(texts, parameters, 1).index
    assert compiled.vocab_dict == index.vocab_dict
    assert np.array_equal(compiled.scores["data"], index.scores["data"])
