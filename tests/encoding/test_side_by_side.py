"""Batches that are encoded side by side, in threads or in a process per device, are those of one after the other."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negaudit.encoding.encoder import load_encoder
from negaudit.encoding.products import multiplied_by_mkl
from negaudit.encoding.sentence_model import SentenceModel
from negaudit.encoding.side_by_side import in_order


def test_results_come_in_the_order_of_the_tasks() -> None:
    def slow_first(task: int) -> int:
        time.sleep(0.05 if task % 4 == 0 else 0)
        return task

    assert list(in_order(slow_first, range(20), "cpu")) == list(range(20))


def test_an_error_in_one_task_is_raised_and_torch_keeps_its_threads() -> None:
    import torch

    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda task: 1 // (task - 3), range(20), "cpu"))
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("before", [True, False])
def test_products_are_taken_without_onednn_and_torch_is_as_before(before: bool) -> None:
    import torch

    def seen() -> bool:
        return bool(torch.backends.mkldnn.enabled)

    torch.backends.mkldnn.enabled = before
    try:
        with multiplied_by_mkl():
            assert seen() is (before and not torch.backends.mkl.is_available())
            with multiplied_by_mkl():
                pass
            assert seen() is (before and not torch.backends.mkl.is_available()), "another one still encodes"
        assert seen() is before
    finally:
        torch.backends.mkldnn.enabled = True


def test_encoders_in_two_threads_turn_it_back_whoever_ends_first(
    minilm_l3_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    seen: list[bool] = []
    encode = SentenceModel.encode

    def noted(self: SentenceModel, *arguments: Any) -> Any:
        seen.append(torch.backends.mkldnn.enabled)
        return encode(self, *arguments)

    monkeypatch.setattr(SentenceModel, "encode", noted)
    texts = [[f"text {number} " * number for number in range(1, 20 * share)] for share in (1, 3)]
    encoders = [load_encoder(minilm_l3_path, device="cpu", cache=tmp_path / str(share), batch_tokens=64) for share in (1, 3)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda encoder, some: encoder.embed(some, "passage"), encoders, texts))
    assert set(seen) == {not torch.backends.mkl.is_available()}
    assert torch.backends.mkldnn.enabled


def test_vectors_equal_plain_encode_in_its_default_batches(minilm_l3_path: Path, passages: list[str], tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm_l3_path), device="cpu")
    expected = model.encode(passages, normalize_embeddings=True, show_progress_bar=False)
    for budget in (256, 2048):
        encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path / str(budget), batch_tokens=budget)
        assert np.abs(encoder.embed(passages, "passage").gather(slice(None)) - expected).max() < 1e-6


@pytest.mark.acceptance
def test_several_devices_give_the_same_vectors(minilm_l3_path: Path, passages: list[str], tmp_path: Path) -> None:
    one, two = (
        load_encoder(minilm_l3_path, device=device, cache=tmp_path / device, batch_tokens=512).embed(passages, "passage")
        for device in ("cpu", "cpu,cpu")
    )
    assert np.abs(one.gather(slice(None)) - two.gather(slice(None))).max() < 1e-6
