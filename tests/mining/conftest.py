"""Fixtures of the mining tests: real encoders and real collections."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from tests.encoders import embedding_cache, minilm_l3, minilm_l3_path, packaged_encoder  # noqa: F401


@pytest.fixture(scope="session")
def xquad(shared_data: Path) -> Collection:
    """XQuAD in English: 240 passages, 1,190 questions, one positive each."""
    return open_collection(shared_data / "xquad_en")


@pytest.fixture(scope="session")
def stackfaq(shared_data: Path) -> Collection:
    """StackFAQ: 719 passages, 1,249 questions, about six positives each."""
    return open_collection(shared_data / "stackfaq")
