"""Each check of texts and labels finds what was put in by hand, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from negaudit.auditing.checks.surface_features import NAMES, feature_table
from negaudit.data.collection import Collection
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from tests.auditing.checks.conftest import by_hand, outcomes_of

QUERY, POSITIVE = "how long do cats sleep", "Cats sleep for most of the day."
FILLER = "Dogs bark at strangers all night long."


def flagged(check: str, negatives: list[str], query: str = QUERY, positive: str = POSITIVE) -> list[int]:
    """Return the positions that the check flags in one record of these negatives."""
    finding = outcomes_of(by_hand((query, [positive], negatives)))[check].finding
    assert finding is not None
    return np.flatnonzero(finding.flags).tolist()


@pytest.mark.parametrize(
    ("check", "negatives", "expected"),
    [
        ("own_positive", [FILLER, POSITIVE, "CATS  sleep for most of the day.", "Cats sleep for most of the day, day."], [1, 2, 3]),
        ("repeats", [FILLER, "Fish swim in the cold sea.", FILLER.upper(), FILLER], [2, 3]),
        ("query_echo", [FILLER, QUERY, "How long do CATS sleep", f"{QUERY}: {FILLER}"], [1, 2]),
        ("short", [FILLER, "", "no", "   "], [1, 2, 3]),
        ("truncated", [FILLER, "Dogs bark at strangers and", "She said: “no.”", "What do dogs do?", "犬は吠える。"], [1]),
        ("encoding", [FILLER, "It\u00e2\u0080\u0099s", "caf\u00c3\u00a9", "\ufffd", "R&amp;D", "café & crème, naïve façade"], [1, 2, 3, 4]),
        ("script", [FILLER, "Собаки лают по ночам.", "犬は夜に吠える。", "1234"], [1, 2]),
    ],
)
def test_what_was_put_in_is_flagged(check: str, negatives: list[str], expected: list[int]) -> None:
    assert flagged(check, negatives) == expected


def test_truncated_negatives_do_not_count_where_their_positives_break_off_too() -> None:
    assert flagged("truncated", ["Dogs bark at strangers and"], positive="Cats sleep for most of") == []


def test_japanese_mixes_han_and_kana_in_one_script() -> None:
    assert flagged("script", ["いぬはよるにほえる"], query="猫睡眠時間", positive="猫一日睡眠") == []


def test_a_hub_is_in_many_records_and_more_often_than_even() -> None:
    rows = [
        (f"question {i}", [f"answer {i}"], ["the passage that everybody has", *(f"passage {i} {j}" for j in range(9))]) for i in range(40)
    ]
    finding = outcomes_of(by_hand(*rows))["hubs"].finding
    assert finding is not None
    assert int(finding.flags.sum()) == 40
    assert set(finding.values[finding.flags]) == {40.0}


def test_a_passage_of_a_small_corpus_is_no_hub_for_being_met_often() -> None:
    rows = [(f"question {i}", [f"answer {i}"], [f"passage {(i + j) % 10}" for j in range(5)]) for i in range(40)]
    finding = outcomes_of(by_hand(*rows))["hubs"].finding
    assert finding is not None
    assert not finding.flags.any()


def test_a_label_conflict_is_found_by_id_and_by_text(tiny_collection: Collection) -> None:
    judged = dict(zip(tiny_collection.passages["id"].to_pylist(), tiny_collection.passages["text"].to_pylist(), strict=True))
    negatives = (
        Negative("another text", "x", id="d4"),
        Negative(judged["d1"].upper(), "x"),
        Negative(judged["d2"], "x", id="d2"),
        Negative(judged["d3"], "x", id="d3"),
    )
    record = Record("q1", "how long do cats sleep", (POSITIVE,), negatives)
    source = NegativeSource.from_records([record], SourceMetadata("byhand"))
    outcome = outcomes_of(source, collection=tiny_collection)["label_conflict"]
    assert outcome.finding is not None
    assert outcome.finding.values.tolist() == [1.0, 2.0, 0.0, 0.0]
    assert outcome.summary["details"]["judged"] == 3


def test_of_a_handful_of_records_nothing_worse_than_info_is_said() -> None:
    rows = [(f"{QUERY} {i}", [f"{POSITIVE} {i}"], [f"{POSITIVE} {i}", FILLER]) for i in range(10)]
    few, enough = (outcomes_of(by_hand(*rows[:size]))["own_positive"].summary for size in (9, 10))
    assert (few["severity"], enough["severity"]) == ("info", "error")
    assert "9 records are too few" in few["reason"]


def test_a_generator_that_leaves_traces_gives_itself_away() -> None:
    draws = np.random.default_rng(0)
    words = np.array(["sea", "wind", "stone", "bird", "river", "cloud", "leaf", "night", "morning", "winter", "road", "hill"])

    def sentence(size: int) -> str:
        return " ".join(draws.choice(words, size)).capitalize() + "."

    def rows(trace: str) -> list[tuple[str, list[str], list[str]]]:
        sizes = draws.integers(8, 30, (150, 3))
        return [(f"question {i}", [sentence(a)], [trace + sentence(b), trace + sentence(c)]) for i, (a, b, c) in enumerate(sizes.tolist())]

    fair, leaky = outcomes_of(by_hand(*rows("")))["surface_leak"].summary, outcomes_of(by_hand(*rows("Overall: ")))["surface_leak"].summary
    assert fair["severity"] in ("ok", "info")
    assert fair["value"] < 0.7
    assert leaky["severity"] == "error"
    assert next(iter(leaky["details"]["features"])) in ("stock phrases", "punctuation share")


def test_surface_features_have_names_and_stand_empty_texts() -> None:
    assert feature_table(["", "A cat."]).shape == (2, len(NAMES))
    assert np.isfinite(feature_table(["", "\n", "123"])).all()
