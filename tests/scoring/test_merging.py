"""Every accumulator: parts that are merged give what one pass gives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from negaudit.scoring.description import Description
from negaudit.scoring.exact_sum import ExactSum
from negaudit.scoring.gates import Similarities
from negaudit.scoring.histograms import Histograms
from negaudit.scoring.pairs import PairChunk
from negaudit.text.scripts import ScriptShare

DIMENSION = 6


def pairs(records: range, encoded: bool) -> tuple[PairChunk, np.ndarray, np.ndarray]:
    """Return the pairs of these records (three each), their records' keys and residuals, drawn per record."""
    columns, residuals = [], []
    for record in records:
        drawn = np.random.default_rng(record)
        columns.append(drawn.uniform(size=(3, 4)))
        directions = drawn.normal(size=(3, DIMENSION))
        residuals.append(directions / np.linalg.norm(directions, axis=1, keepdims=True) * [[1], [record % 2], [1]])
    values, r = np.concatenate(columns), np.concatenate(residuals)
    record, index = np.repeat(np.array(records), 3), np.tile(np.arange(3, dtype=np.int32), len(records))
    cosines = Similarities(*(values[:, i] * 2 - 1 for i in (1, 2, 3))) if encoded else None
    chunk = PairChunk(record, index, values[:, 0], 0.05, cosines, r.any(axis=1) if encoded else None)
    return chunk, np.array(records, np.uint64), r


def described(parts: list[range], encoded: bool) -> Description:
    description = Description(DIMENSION if encoded else None)
    for part in parts:
        chunk, keys, residuals = pairs(part, encoded)
        description.update(chunk, keys, residuals if encoded else None)
    return description


@pytest.mark.parametrize("encoded", [False, True])
def test_a_description_merged_from_two_workers_equals_one_pass(encoded: bool) -> None:
    whole, one, other = (described(parts, encoded) for parts in ([range(900)], [range(250), range(250, 400)], [range(400, 900)]))
    one.merge(other)
    expected, found = whole.summary(), one.summary()
    for name, value in expected.pop("eci", {}).items():
        assert found["eci"][name] == pytest.approx(value, rel=1e-12), name
    found.pop("eci", None)
    assert found == expected
    for statistic, drawn in whole.replicates(50, 1).items():
        assert (one.replicates(50, 1)[statistic] == drawn).all(), statistic


def test_chunks_of_any_size_leave_no_bit_in_the_moments() -> None:
    whole = described([range(900)], True).summary()
    chunked = described([range(start, min(900, start + 77)) for start in range(0, 900, 77)], True).summary()
    assert whole == chunked


def _sums(values: np.ndarray) -> ExactSum:
    found = ExactSum()
    found.update(values)
    return found


def _shares(values: np.ndarray) -> ScriptShare:
    found = ScriptShare()
    found.update("word" if value < 0.5 else "日本" for value in values)
    return found


def _histograms(values: np.ndarray) -> Histograms:
    found = Histograms(encoded=False)
    found.update(PairChunk(np.arange(len(values)), np.zeros(len(values), np.int32), values, 0.05))
    return found


@pytest.mark.parametrize("made", [_sums, _shares, _histograms])
def test_small_accumulators_merge(made: Callable[[np.ndarray], ExactSum | ScriptShare | Histograms]) -> None:
    values = np.random.default_rng(0).uniform(size=101)
    one = made(values[:40])
    one.merge(made(values[40:]))  # type: ignore[arg-type]
    assert one.result() == made(values).result()
    assert one.result() != made(values[:40]).result()
