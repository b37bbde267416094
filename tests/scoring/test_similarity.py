"""Scores are defined on unit vectors: an encoder that keeps its vectors' lengths is refused before anything is encoded."""

from __future__ import annotations

from pathlib import Path

import pytest

import negaudit
from tests.encoders import embedding_cache, minilm_l3_path  # noqa: F401 - fixtures


def test_an_encoder_of_similarity_dot_is_refused_in_one_line(tiny_collection: negaudit.Collection, minilm_l3_path: Path, tmp_path: Path):  # noqa: F811
    encoder = negaudit.load_encoder(minilm_l3_path, similarity="dot", device="cpu", cache=tmp_path / "cache")
    with pytest.raises(negaudit.NegauditError, match=r"similarity 'dot'.*load it with similarity 'cosine'"):
        negaudit.score([negaudit.mine_bm25(tiny_collection)], encoder=encoder, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
