"""Prefixes of known families are found from the model itself; own prompts come before them, what is given before both."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from negaudit.encoding.encoder import FrozenEncoder, load_encoder
from negaudit.encoding.model_folder import ModelFolder
from negaudit.encoding.presets import PRESETS, find_prefixes, find_preset
from negaudit.errors import NegauditError


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", "Instruct: ", ""),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence", ""),
        ("BAAI/bge-large-zh-v1.5", "为这个句子", ""),
        ("BAAI/bge-m3", "", ""),
        ("thenlper/gte-base", "", ""),
        ("Alibaba-NLP/gte-modernbert-base", "", ""),
        ("Alibaba-NLP/gte-Qwen2-1.5B-instruct", "Instruct: ", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("Qwen/Qwen3-Embedding-0.6B", "Instruct: ", ""),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", "Represent this sentence", ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
    ],
)
def test_each_family_is_known_by_its_name(tmp_path: Path, model: str, query: str, passage: str) -> None:
    preset = find_preset(ModelFolder(tmp_path, model))
    assert preset is not None
    assert preset.query.startswith(query)
    assert bool(preset.query) == bool(query)
    assert preset.passage == passage


@pytest.mark.parametrize("model", ["me5x", "sentence-transformers/all-MiniLM-L6-v2", "e5", "bge-reranker-base", "my-gte"])
def test_other_models_are_of_no_family(tmp_path: Path, model: str) -> None:
    assert find_preset(ModelFolder(tmp_path, model)) is None


def test_a_folder_of_any_name_is_known_by_its_configuration_or_card(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("---\ntags:\n- mteb\nmodel-index:\n- name: e5-base-v2\n  results: []\n---\nWords.\n")
    found = find_preset(ModelFolder(tmp_path, "my-model"))
    assert found is not None
    assert found.family == "E5"
    (tmp_path / "config.json").write_text('{"_name_or_path": "nomic-ai/nomic-embed-text-v1"}')
    found = find_preset(ModelFolder(tmp_path, "my-model"))
    assert found is not None
    assert found.family == "Nomic"


def test_given_before_own_before_preset(tmp_path: Path) -> None:
    folder = ModelFolder(tmp_path, "intfloat/e5-base-v2")
    preset = find_prefixes(folder, ("", ""), (None, None))
    assert (preset.query, preset.passage, preset.query_origin) == ("query: ", "passage: ", "preset E5")
    own = find_prefixes(folder, ("q> ", ""), (None, None))
    assert (own.query, own.passage, own.query_origin) == ("q> ", "", "the model's own prompts")
    given = find_prefixes(folder, ("", ""), ("", None))
    assert (given.query, given.query_origin, given.passage, given.passage_origin) == ("", "given", "passage: ", "preset E5")
    assert "query prefix '' (given)" in str(given)


def test_no_preset_stands_behind_another() -> None:
    assert len({preset.pattern for preset in PRESETS}) == len(PRESETS)


def test_a_preset_reaches_the_contract_and_the_vectors(minilm_l3_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "e5-small-v2"
    shutil.copytree(minilm_l3_path, folder)
    encoder = load_encoder(folder, device="cpu", cache=tmp_path / "cache")
    assert (encoder.contract.query_prefix, encoder.contract.passage_prefix) == ("query: ", "passage: ")
    plain = load_encoder(folder, device="cpu", cache=tmp_path / "cache", query_prefix="", passage_prefix="")
    pair = encoder.embed(["cats"], "query").gather(slice(None)), plain.embed(["query: cats"], "query").gather(slice(None))
    assert np.abs(pair[0] - pair[1]).max() < 1e-6


def test_dims_keep_the_leading_dimensions_at_unit_norm(minilm_l3: FrozenEncoder, minilm_l3_path: Path, tmp_path: Path) -> None:
    texts = ["cats sleep", "dogs bark at night"]
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, dims=64)
    assert (encoder.contract.dims, encoder.contract.dimension) == (64, 64)
    whole, short = (one.embed(texts, "passage").gather(slice(None)) for one in (minilm_l3, encoder))
    expected = whole[:, :64] / np.linalg.norm(whole[:, :64], axis=1, keepdims=True)
    assert np.abs(short - expected).max() < 1e-6
    assert load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, dims=384).contract == minilm_l3.contract
    with pytest.raises(NegauditError, match="dims is 385: expected 1 to 384"):
        load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, dims=385)


def test_dot_keeps_vectors_as_the_model_gives_them(minilm_l3: FrozenEncoder, minilm_l3_path: Path, tmp_path: Path) -> None:
    texts = ["cats sleep", "dogs bark at night"]
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, similarity="dot")
    unit, raw = (one.embed(texts, "passage").gather(slice(None)) for one in (minilm_l3, encoder))
    norms = np.linalg.norm(raw, axis=1, keepdims=True)
    assert (np.abs(norms - 1) > 0.1).all()  # this model does not normalise
    assert np.abs(raw / norms - unit).max() < 1e-6
    assert encoder.contract.fingerprint() != minilm_l3.contract.fingerprint()
    with pytest.raises(NegauditError, match="did you mean 'cosine'"):
        load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, similarity="cosin")  # type: ignore[arg-type]
