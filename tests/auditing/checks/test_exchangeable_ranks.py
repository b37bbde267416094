"""The rank of a random passage among random passages is uniform, whatever the measures, their ties and their dependence."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.auditing.checks.exchangeable_ranks import best_ranks


def by_definition(values: list[float], null: list[list[float]]) -> tuple[int, int]:
    """Return below and equal of one negative from the words of the definition: rank all together, take the best, look again."""
    best = []
    for j in range(len(null[0]) + 1):
        ranks = []
        for value, drawn in zip(values, null, strict=True):
            everyone = [*drawn, value]
            ranks.append(sum(2 * (x < everyone[j]) + (x == everyone[j]) for x in everyone) - 1)
        best.append(max(ranks))
    return sum(x < best[-1] for x in best[:-1]), sum(x == best[-1] for x in best[:-1])


def test_ranks_are_those_of_the_definition() -> None:
    draws = np.random.default_rng(1)
    null = [draws.normal(size=(7, 12)), draws.integers(0, 3, (7, 12)).astype(float)]
    rows = draws.integers(0, 7, 40)
    values = [draws.normal(size=40), draws.integers(0, 3, 40).astype(float)]
    found = best_ranks(values, null, rows)
    for i, row in enumerate(rows):
        below, equal = by_definition([v[i] for v in values], [n[row].tolist() for n in null])
        assert (found.low[i], found.high[i]) == (below / 13, (below + equal + 1) / 13)


@pytest.mark.parametrize("levels", [1, 2, 1000])
def test_an_exchangeable_passage_is_below_any_cut_with_that_probability(levels: int) -> None:
    draws = np.random.default_rng(2)
    size = 20_000
    first = draws.normal(size=(size, 25))
    second = np.floor(levels * (0.6 * first + draws.normal(size=(size, 25))))  # hangs together with the first, with ties
    found = best_ranks([first[:, 0], second[:, 0]], [first[:, 1:], second[:, 1:]], np.arange(size))
    for cut in (0.1, 0.5, 0.7, 0.93):
        assert found.below(cut).mean() == pytest.approx(cut, abs=4 * (cut * (1 - cut) / size) ** 0.5)


def test_a_related_passage_ranks_at_the_top_by_either_measure() -> None:
    draws = np.random.default_rng(3)
    null = [draws.normal(size=(1, 200)), draws.normal(size=(1, 200))]
    found = best_ranks([np.array([9.0, -9.0]), np.array([-9.0, 9.0])], null, np.zeros(2, np.int64))
    assert (found.below(0.7) == 0).all()
