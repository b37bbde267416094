"""Batches hold each text once, within the budget, and do not depend on order or on where a run was stopped."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negaudit.encoding.batches import plan_batches

lengths = st.lists(st.integers(1, 400), min_size=1, max_size=80)
budgets = st.integers(1, 1200)


def keys_for(count: int) -> np.ndarray:
    return np.array([hashlib.blake2b(bytes([i % 256, i // 256]), digest_size=16).digest() for i in range(count)], "S16")


@given(lengths, budgets)
def test_each_text_is_in_one_batch_and_no_batch_exceeds_the_budget(texts: list[int], budget: int) -> None:
    sizes = np.array(texts)
    batches = list(plan_batches(sizes, keys_for(len(sizes)), budget))
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(sizes)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * sizes[batch].max() <= budget


@given(lengths, budgets, st.randoms(use_true_random=False))
def test_batches_do_not_depend_on_the_order_of_the_texts(texts: list[int], budget: int, random: object) -> None:
    sizes, keys = np.array(texts), keys_for(len(texts))
    shuffled = np.array(random.sample(range(len(sizes)), len(sizes)))  # type: ignore[attr-defined]
    straight = [keys[batch].tolist() for batch in plan_batches(sizes, keys, budget)]
    other = [keys[shuffled][batch].tolist() for batch in plan_batches(sizes[shuffled], keys[shuffled], budget)]
    assert straight == other


@given(lengths, budgets, st.integers(0, 40))
def test_what_is_left_after_whole_batches_is_cut_in_the_same_places(texts: list[int], budget: int, done: int) -> None:
    sizes, keys = np.array(texts), keys_for(len(texts))
    batches = [keys[batch].tolist() for batch in plan_batches(sizes, keys, budget)]
    finished = {key for batch in batches[:done] for key in batch}
    left = np.array([i for i, key in enumerate(keys.tolist()) if key not in finished], np.int64)
    resumed = [keys[left][batch].tolist() for batch in plan_batches(sizes[left], keys[left], budget)]
    assert resumed == batches[done:]


def test_no_texts_make_no_batches() -> None:
    assert list(plan_batches(np.empty(0, np.int64), np.empty(0, "S16"), 2048)) == []


@pytest.mark.parametrize(("length", "expected"), [(1, 1024), (128, 16), (4096, 1)])
def test_batch_size_follows_from_the_longest_text(length: int, expected: int) -> None:
    first = next(plan_batches(np.full(3000, length), keys_for(3000), 2048))
    assert len(first) == expected
