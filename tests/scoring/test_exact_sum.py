"""The exact sum: its value, and that order and splitting leave no trace."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from negaudit.scoring.exact_sum import ExactSum

VALUES = st.lists(st.floats(-900, 900, allow_subnormal=False), min_size=1, max_size=60)


def summed(*parts: list[float]) -> ExactSum:
    total = ExactSum()
    for part in parts:
        total.update(np.array(part))
    return total


@given(VALUES, st.randoms())
def test_order_and_chunks_change_no_bit(values: list[float], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    cut = len(values) // 2
    merged = summed(shuffled[:cut])
    merged.merge(summed(shuffled[cut:]))
    assert merged.result() == summed(values).result()
    assert merged.mean() == summed(values).mean()


@given(VALUES)
def test_the_sum_is_that_of_fsum_to_the_fixed_point(values: list[float]) -> None:
    assert abs(summed(values).result() - math.fsum(values)) <= len(values) * 2.0**-53 + 1e-12 * abs(math.fsum(values))


def test_a_million_values_do_not_overflow() -> None:
    assert summed([999.5] * 1_000_000).result() == 999_500_000.0
