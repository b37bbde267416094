"""An encoder whose vectors are not finite: one line, exit code 2, no result."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.conftest import Negaudit
from tests.cli.test_score_and_audit import write
from tests.encoders import embedding_cache, minilm_l3_path

__all__ = ["embedding_cache", "minilm_l3_path"]


def test_a_model_with_nan_weights_is_one_line_with_exit_code_two(negaudit: Negaudit, minilm_l3_path: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(minilm_l3_path, tmp_path / "model")
    (weights,) = (tmp_path / "model").rglob("*.safetensors")
    tensors = load_file(weights)
    tensors["embeddings.LayerNorm.weight"].fill_(float("nan"))
    save_file(tensors, weights, metadata={"format": "pt"})
    write(tmp_path / "source.parquet", "cats sleep")
    ran = negaudit("score", "--source", "source.parquet", "--encoder", "model", "--cache", "cache", "--out", "out", "--quiet")
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.strip().splitlines()) == 1
    assert "no usable vector" in ran.err
    assert not [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
