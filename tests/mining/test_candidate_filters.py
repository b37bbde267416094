"""Filters remove what they say, in their order, and every record's account adds up: read = kept + removed by each."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.data.dataset import open_collection
from negaudit.errors import NegauditError
from negaudit.mining.exclusion import Exclusion
from negaudit.mining.filters import CandidateFilters
from negaudit.mining.mining_task import MiningTask
from negaudit.mining.ranking import Ranking
from negaudit.mining.selection import Selection, Selector, uniform
from tests.conftest import WriteBeir

PLAIN = CandidateFilters()
COUNT = 60


@pytest.fixture
def task(write_beir: WriteBeir) -> MiningTask:
    """One query whose positive is p00, among 60 passages of distinct words, a few of which can be no negative."""
    passages = [{"_id": f"p{i:02d}", "title": "", "text": f"word{i} other{i} third{i} fourth{i}"} for i in range(COUNT)]
    passages[1]["text"] = "Word0  OTHER0 third0 fourth0"  # the positive in other clothes
    passages[2]["text"] = "word0 other0 third0 fourth0"  # to the letter
    passages[3]["text"] = "Which  one is it?"  # the query
    passages[4]["text"] = "third0 word0 other0 fourth0 more"  # four of five tokens shared with the positive
    passages[6]["text"] = passages[5]["text"].upper()  # a repeat
    folder = write_beir(passages, [{"_id": "q", "text": "which one is it?"}], ["q\tp00\t1"])
    return MiningTask.of(open_collection(folder), 10, 1, None, "mine")


def select(task: MiningTask, filters: CandidateFilters, scores: np.ndarray | None = None, **options: object) -> Selection:
    """Return the selection of a ranking that lists p00, p01 … with the given scores (default 60, 59 …)."""
    given = np.arange(COUNT, 0, -1, dtype=np.float32) if scores is None else scores.astype(np.float32)
    order = np.lexsort((np.arange(COUNT), -given))
    ranking = Ranking(order.astype(np.int64), given[order])
    closeness = options.pop("closeness", None)
    exclusion = Exclusion(task.passages, filters, closeness)  # type: ignore[arg-type]
    selector = Selector(task.passages, task.k, filters, "mine", exclusion, lambda _, positions: given[positions], **options)  # type: ignore[arg-type]
    return selector.select(0, query(task), ranking)


def query(task: MiningTask) -> LabelledQuery:
    return task.queries[0]


def ids(selection: Selection) -> list[str]:
    return [negative.id or "" for negative in selection.negatives]


def test_what_can_be_no_negative_is_excluded_with_its_reason(task: MiningTask) -> None:
    selection = select(task, PLAIN)
    assert ids(selection) == [f"p{i:02d}" for i in range(4, 14)]
    removed = {"positive_id": 1, "positive_text": 1, "positive_exact_text": 1, "query_text": 1}
    assert selection.account.rejected == removed
    assert (selection.account.read, selection.repeats) == (14, 1)


def test_near_copies_and_repeats_are_excluded_where_asked(task: MiningTask) -> None:
    near = select(task, replace(PLAIN, near_duplicate=0.8, drop_repeats=True))
    assert near.account.rejected["near_positive"] == 1
    assert near.account.rejected["repeat"] == 1
    assert {"p04", "p06"}.isdisjoint(ids(near))
    assert "p04" in ids(select(task, replace(PLAIN, near_duplicate=0.81)))


def test_near_copies_by_embedding(task: MiningTask) -> None:
    def cosines(positions: np.ndarray, others: np.ndarray) -> np.ndarray:
        return np.where(positions == 7, 0.97, 0.1)[:, None].repeat(len(others), axis=1)

    selection = select(task, replace(PLAIN, near_duplicate=0.95), closeness=cosines)
    assert "p07" not in ids(selection)
    assert selection.account.rejected["near_positive_embedding"] == 1


def test_the_band_counts_ranks_of_the_full_ranking(task: MiningTask) -> None:
    selection = select(task, replace(PLAIN, ranks=(10, 15)))
    assert ids(selection) == [f"p{i:02d}" for i in range(9, 15)]
    assert [negative.rank for negative in selection.negatives] == list(range(10, 16))
    assert selection.account.read == 15


@pytest.mark.parametrize(("positive", "least"), [(10.0, 9.0), (-10.0, -11.0), (0.0, 0.0)])
def test_the_relative_margin_is_right_for_scores_of_either_sign(task: MiningTask, positive: float, least: float) -> None:
    scores = np.linspace(positive + 3, positive - 3, COUNT).astype(np.float32)
    scores[0] = positive
    selection = select(task, replace(PLAIN, relative_margin=0.9, depth=COUNT), scores)
    kept = [negative.score for negative in selection.negatives]
    assert kept
    assert max(score for score in kept if score is not None) <= least
    assert (selection.account.rejected["relative_margin"] > 0) == bool((scores[4:] > least).any())


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_absolute_margin_is_a_distance(task: MiningTask, sign: float) -> None:
    scores = sign * 100 + np.arange(0, -COUNT, -1, dtype=np.float32)
    selection = select(task, replace(PLAIN, margin=20.0), scores)
    assert ids(selection)[0] == "p20"


def test_score_limits_hold_at_their_ends(task: MiningTask) -> None:
    selection = select(task, replace(PLAIN, max_score=50.0, min_score=45.0))
    assert [negative.score for negative in selection.negatives] == [50.0, 49.0, 48.0, 47.0, 46.0, 45.0]


def test_without_a_score_for_the_positive_nothing_passes_a_margin(task: MiningTask) -> None:
    scores = np.arange(COUNT, 0, -1, dtype=np.float32)
    exclusion = Exclusion(task.passages, PLAIN)
    filters = replace(PLAIN, margin=0.0)
    selector = Selector(task.passages, 10, filters, "mine", exclusion, lambda _, positions: np.full(len(positions), np.nan, np.float32))
    selection = selector.select(0, query(task), Ranking(np.arange(COUNT), scores))
    assert selection.negatives == ()
    assert selection.account.rejected["positive_unscored"] == COUNT - 4


def test_a_cross_encoder_scores_in_the_miners_place(task: MiningTask) -> None:
    asked: list[int] = []

    def rescored(_: int, positions: np.ndarray) -> np.ndarray:
        asked.extend(positions.tolist())
        return np.asarray(positions % 7, np.float32) + 100 * (positions == 0)

    selection = select(task, replace(PLAIN, ranks=(11, 40), margin=95.0), rescores=rescored)
    assert asked[0] == 0  # the positive too
    assert sorted(asked[1:]) == list(range(10, 40))
    assert [negative.score for negative in selection.negatives] == [5.0] * 4 + [4.0] * 5 + [3.0]
    assert ids(selection)[:4] == ["p12", "p19", "p26", "p33"]
    assert [negative.rank for negative in selection.negatives][:4] == [13, 20, 27, 34]


@pytest.mark.parametrize("sampling", ["random", "softmax"])
def test_sampling_depends_on_seed_query_and_passage_alone(task: MiningTask, sampling: str) -> None:
    filters = replace(PLAIN, sampling=sampling, temperature=20.0)
    drawn = ids(select(task, filters))
    assert len(set(drawn)) == 10
    assert drawn == ids(select(task, filters))
    assert drawn != ids(select(task, replace(filters, seed=0)))
    # A passage that is gone makes room for one other and moves nothing else.
    without = ids(select(task, replace(filters, max_score=60.0 - int(drawn[0][1:]) - 1, depth=COUNT)))
    assert set(drawn) & set(without) == {i for i in drawn if int(i[1:]) > int(drawn[0][1:])}


def test_random_sampling_is_uniform_and_softmax_follows_its_weights() -> None:
    drawn = uniform(42, "q", [f"p{i}" for i in range(20_000)])
    assert 0 < drawn.min() < drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.01
    assert abs(np.mean(drawn < 0.1) - 0.1) < 0.01


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("temperature", [5e-324, 1e-320, 1e-9])
def test_the_coldest_softmax_draws_the_best(task: MiningTask, temperature: float) -> None:
    rising = np.arange(1, COUNT + 1)  # the best have the last ids, so that an order by id is none by score
    cold = select(task, replace(PLAIN, sampling="softmax", temperature=temperature, depth=COUNT), rising)
    assert ids(cold) == [f"p{i}" for i in range(59, 49, -1)]


def test_softmax_draws_the_first_in_proportion_to_exp_of_score_over_temperature(task: MiningTask) -> None:
    scores = np.full(COUNT, -1000.0, np.float32)
    scores[[10, 20]] = [math.log(3.0), 0.0]
    one = replace(task, k=1)
    first = sum(ids(select(one, replace(PLAIN, sampling="softmax", seed=seed, depth=COUNT), scores)) == ["p10"] for seed in range(600))
    assert abs(first / 600 - 0.75) < 0.06


@pytest.mark.parametrize(
    "filters",
    [
        PLAIN,
        replace(PLAIN, ranks=(5, 30), relative_margin=0.9),
        replace(PLAIN, sampling="random", max_score=50.0, near_duplicate=0.5),
        replace(PLAIN, margin=100.0),
    ],
)
def test_read_is_kept_and_removed(task: MiningTask, filters: CandidateFilters) -> None:
    account = select(task, filters).account
    assert account.read == account.used + sum(account.rejected.values())
    assert all(count > 0 for count in account.rejected.values())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ranks": (0, 5)}, "ranks are 0:5"),
        ({"ranks": (9, 5)}, "ranks are 9:5"),
        ({"near_duplicate": 1.5}, "near duplicate is 1.5"),
        ({"sampling": "topp"}, "did you mean 'top'"),
        ({"temperature": 0.0}, "temperature is 0.0"),
        ({"margin": math.nan}, "margin is nan"),
        ({"depth": 10, "ranks": (1, 20)}, "at least 20, where the ranks end"),
        ({"min_score": 2.0, "max_score": 1.0}, "no candidate can pass both"),
    ],
)
def test_bad_values_are_one_line(options: dict[str, object], words: str) -> None:
    with pytest.raises(NegauditError, match=words) as caught:
        CandidateFilters(**options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_require_k_drops_and_counts_the_record(tiny_collection: Collection) -> None:
    from negaudit.mining.bm25 import mine_bm25

    source = mine_bm25(tiny_collection, k=3, filters=CandidateFilters(require_k=True))
    negatives, queries = source.metadata.counts["negatives"], source.metadata.counts["queries"]
    kept = sum(len(record.negatives) for record in source.records())
    assert all(len(record.negatives) == 3 for record in source.records())
    assert queries["rejected"]["short_of_k"] == 3 - source.num_records
    assert negatives["used"] == kept
    assert negatives["read"] == kept + sum(negatives["rejected"].values())
    assert source.metadata.details["yield"] == {"asked": 9, "kept": kept, "share": kept / 9}
