"""Fixtures of the encoding tests: real encoders, and real passages to encode."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.data.dataset import open_collection
from tests.encoders import embedding_cache, minilm_l3, minilm_l3_path, packaged_encoder  # noqa: F401


@pytest.fixture(scope="session")
def passages(shared_data: Path) -> list[str]:
    """The first 60 SciFact abstracts, most of them longer than 128 tokens, and 60 claims, all shorter."""
    collection = open_collection(shared_data / "scifact")
    abstracts = collection.passages["text"].slice(0, 60).to_pylist()
    return [*abstracts, *collection.queries["text"].slice(0, 60).to_pylist()]
