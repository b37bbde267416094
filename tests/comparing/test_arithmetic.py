"""The small statistics against scipy, plain loops or hand-made cases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from negaudit.comparing.correlation import kendall, pearson
from negaudit.comparing.difference import Difference, paired_differences
from negaudit.comparing.grid import Grid, rendered
from negaudit.comparing.holm import holm
from negaudit.comparing.ranking import rank_ranges, tied_groups
from negaudit.comparing.stability import wilson
from negaudit.scoring.intervals import POISSON, record_weight, replicate_sums


def test_correlations_are_scipys_and_none_where_one_side_does_not_vary():
    rng = np.random.default_rng(0)
    for n in (2, 3, 8):
        x, y = rng.integers(0, 5, n).astype(float), rng.normal(size=n)
        if len(set(x)) > 1:
            assert pearson(list(x), list(y)) == pytest.approx(pearsonr(x, y).statistic)
            assert kendall(list(x), list(y)) == pytest.approx(kendalltau(x, y).statistic)
    assert pearson([1.0, 1.0], [1.0, 2.0]) is None
    assert kendall([1.0, 1.0], [1.0, 2.0]) is None


def test_holm_multiplies_by_the_tests_left_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, None, 0.01]) == [0.5, None, 0.02]
    assert holm([0.9, 0.9]) == [1.0, 1.0]


def test_one_of_many_pure_noise_differences_is_found_by_itself_and_not_after_the_correction():
    rng = np.random.default_rng(3)
    alone, corrected = 0, 0
    for _ in range(100):
        noise = rng.normal(size=8)
        drawn = {str(i): noise[i] + rng.normal(size=200) for i in range(8)}
        differences = paired_differences({str(i): float(noise[i]) for i in range(8)}, drawn)
        alone += any(d.p is not None and d.p < 0.05 for d in differences)
        corrected += any(d.found for d in differences)
    assert alone > 30
    assert corrected <= 10


def test_a_difference_without_spread_or_replicates_is_never_found():
    (single,) = paired_differences({"a": 1.0, "b": 0.0}, {"a": np.ones(50), "b": np.zeros(50)})
    (none,) = paired_differences({"a": 1.0, "b": 0.0}, {})
    assert (single.found, none.found, none.interval) == (False, False, None)


def differ(first: str, second: str, difference: float) -> Difference:
    return Difference(first, second, difference, (difference, difference), 0.0, 0.0, found=True)


def test_ties_are_one_group_and_ranks_say_what_the_found_differences_leave():
    values = {"a": 3.0, "b": 2.9, "c": 1.0}
    found = [differ("a", "c", 2.0), differ("b", "c", 1.9)]
    assert tied_groups(values, found) == [["a", "b"], ["c"]]
    assert rank_ranges(list(values), found) == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}
    assert tied_groups(values, []) == [["a", "b", "c"]]


def test_wilsons_interval_stays_in_the_unit_and_covers():
    assert wilson(0, 20)[0] == 0
    assert wilson(20, 20)[1] == pytest.approx(1)
    assert wilson(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)


def test_one_records_weight_is_the_one_that_sums_are_drawn_with():
    keys = np.random.default_rng(0).integers(0, 2**63, 40, dtype=np.uint64)
    values = np.random.default_rng(1).normal(size=40)
    weights = np.array([[record_weight(key, b, np.uint64(42), POISSON) for key in keys] for b in range(30)])
    assert replicate_sums(keys, values[:, None], 30, 42)[:, 0] == pytest.approx(weights @ values, abs=1e-9)


def test_every_form_of_a_table_keeps_what_would_break_it():
    grid = Grid("A & B", ("name", "value"), [["a|b_c & 50%", 0.123456], ["d > e", None]], ("a note",))
    assert "| a\\|b_c & 50% | 0.1235 |" in rendered([grid], "md")
    assert rendered([grid], "csv") == "name,value\na|b_c & 50%,0.123456\nd > e,\n"
    written = rendered([grid], "latex")
    assert r"a|b\_c \& 50\% & 0.1235 \\" in written
    assert r"d $>$ e & - \\" in written
    assert all(line.startswith("%") for line in written.splitlines()[:2])


def test_pairs_are_compared_in_the_order_given():
    names = ["x", "b", "a"]
    drawn = {n: np.arange(3.0) for n in names}
    assert [(d.first, d.second) for d in paired_differences(dict.fromkeys(names, 0.0), drawn)] == list(itertools.combinations(names, 2))
