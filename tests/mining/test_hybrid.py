"""Hybrids keep every negative's origin, merge and count copies, and equal a single source in size where a budget is given."""

from __future__ import annotations

import pytest

from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.mining.hybrid import mine_hybrid


def record(query_id: str, texts: list[str], origin: str, query: str | None = None) -> Record:
    negatives = tuple(Negative(text, origin, f"{text}-id", rank, 1.0 / rank) for rank, text in enumerate(texts, 1))
    return Record(query_id, query or f"query {query_id}", ("good",), negatives, ("good-id",))


def source(name: str, records: list[Record], **how: object) -> NegativeSource:
    return NegativeSource.from_records(records, SourceMetadata(name, origins={name: {"method": name, **how}}))


A = source("a", [record("1", ["x", "y", "z", "w"], "a"), record("2", ["x"], "a")])
B = source("b", [record("1", ["Y ", "good", "u", "v"], "b", "QUERY  1"), record("3", ["t"], "b")])


def kept(made: NegativeSource) -> dict[str, list[tuple[str, str]]]:
    return {one.query_id: [(negative.text, negative.origin) for negative in one.negatives] for one in made.records()}


def adds_up(made: NegativeSource) -> None:
    for account in made.metadata.counts.values():
        assert account["read"] == account["used"] + sum(account["rejected"].values())
    negatives = [account["used"] for what, account in made.metadata.counts.items() if what != "queries"]
    assert sum(negatives) == sum(len(one.negatives) for one in made.records())


def test_k_from_each_merges_copies_and_names_both_origins() -> None:
    made = mine_hybrid([A, B], k=2)
    assert kept(made) == {"1": [("x", "a"), ("Y ", "a+b"), ("u", "b")], "2": [("x", "a")], "3": [("t", "b")]}
    assert made.metadata.details["merged"] == {"a+b": 1}
    assert made.metadata.origins["a+b"] == {"method": "merged", "of": ["a", "b"]}
    assert made.metadata.counts["negatives of a"]["rejected"] == {"merged": 1, "beyond_k": 2}
    assert made.metadata.counts["negatives of b"]["rejected"] == {"positive": 1, "beyond_k": 1}
    adds_up(made)


def test_the_budget_is_filled_in_turn_whatever_is_merged() -> None:
    made = mine_hybrid([A, B], total=4)
    assert kept(made)["1"] == [("x", "a"), ("Y ", "a+b"), ("z", "a"), ("u", "b")]
    assert [len(one.negatives) for one in made.records()] == [4, 1, 1]
    assert made.metadata.details["records"]["short"] == 2
    adds_up(made)
    strict = mine_hybrid([A, B], total=4, require_total=True)
    assert strict.num_records == 1
    assert strict.metadata.counts["queries"] == {"read": 3, "used": 1, "rejected": {"short_of_total": 2}}
    adds_up(strict)


def test_queries_of_one_source_are_kept_or_dropped_and_counted() -> None:
    assert mine_hybrid([A, B]).metadata.details["records"]["unmatched"] == 2
    made = mine_hybrid([A, B], unmatched="drop")
    assert list(kept(made)) == ["1"]
    assert made.metadata.counts["queries"] == {"read": 3, "used": 1, "rejected": {"unmatched": 2}}
    adds_up(made)


def test_equal_ids_with_other_queries_are_not_paired() -> None:
    other = source("b", [record("1", ["u"], "b", "something else")])
    assert [len(one.negatives) for one in mine_hybrid([A, other]).records()] == [4, 1, 1]


def test_one_origin_made_in_two_ways_is_told_apart() -> None:
    first = source("one", [record("1", ["x"], "bm25")])
    second = source("two", [record("1", ["y"], "bm25")])
    first = NegativeSource.from_records(first.records(), SourceMetadata("one", origins={"bm25": {"k1": 1.5}}))
    second = NegativeSource.from_records(second.records(), SourceMetadata("two", origins={"bm25": {"k1": 0.9}}))
    made = mine_hybrid([first, second])
    assert kept(made)["1"] == [("x", "one:bm25"), ("y", "two:bm25")]
    assert made.metadata.origins == {"one:bm25": {"k1": 1.5}, "two:bm25": {"k1": 0.9}}


def test_a_hybrid_with_a_control_is_a_control() -> None:
    assert mine_hybrid([A, B.with_role("control")]).role == "control"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"k": 1, "total": 2}, "both given"),
        ({"k": 0}, "k is 0"),
        ({"unmatched": "kep"}, "did you mean 'keep'"),
        ({"require_total": True}, "without a total"),
    ],
)
def test_bad_options_are_one_line(options: dict[str, object], words: str) -> None:
    with pytest.raises(NegauditError, match=words):
        mine_hybrid([A, B], **options)  # type: ignore[arg-type]


def test_one_source_is_no_hybrid() -> None:
    with pytest.raises(NegauditError, match="a hybrid of 1 source"):
        mine_hybrid([A])
