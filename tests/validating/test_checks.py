"""Each check counts what was put in, and nothing in a clean file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.rejects import Rejects
from negaudit.validating.check import Check, checks, register
from negaudit.validating.validator import validate
from tests.conftest import REPOSITORY


def clean(number: int) -> dict[str, Any]:
    return {
        "query_id": f"q{number}",
        "query": f"question {number}",
        "pos": [f"the right answer {number}"],
        "neg": [f"wrong {number} one way", f"wrong {number} another"],
        "pos_id": [f"p{number}"],
        "neg_id": [f"n{number}a", f"n{number}b"],
        "pos_scores": [0.9],
        "neg_scores": [0.5, 0.4],
    }


CLEAN = [clean(number) for number in range(20)]


def put(place: int, **values: Any) -> list[dict[str, Any]]:
    return [{**row, **values} if number == place else row for number, row in enumerate(CLEAN)]


CASES: dict[str, tuple[list[dict[str, Any]], int]] = {
    "not_strings": (put(3, pos="a string"), 1),
    "rejected": ([*put(3, pos="a string"), {"neg": []}], 2),
    "no_negatives": (put(3, neg=[], neg_id=[], neg_scores=[]), 1),
    "no_positives": (put(3, pos=[], pos_id=[], pos_scores=[]), 1),
    "fewer_negatives": (put(3, neg=["one"], neg_id=["x"], neg_scores=[0.1]), 1),
    "empty_texts": (put(3, neg=["", " \t\u00a0"], query="\u3000"), 3),
    "missing_ids": (put(3, query_id=None, neg_id=["x", None]), 2),
    "duplicate_query_ids": (put(3, query_id="q0"), 1),
    "negative_is_query": (put(3, neg=["QUESTION  3", "other"]), 1),
    "negative_is_positive": (put(3, neg=["the right answer 3", "The\u00a0right ANSWER ３"]), 2),
    "repeated_negatives": (put(3, neg=["Same text", "same  text"]), 1),
    "repeated_positives": (put(3, pos=["p", "P"], pos_id=["a", "b"], pos_scores=[1, 1]), 1),
    "positive_of_same_query": ([*CLEAN, {**clean(40), "query": "Question 3", "neg": ["The right answer 3", "x"]}], 1),
    "positive_of_another_query": (put(3, neg=["the right answer 4", "the right answer 3"]), 1),
    "queries_with_other_positives": ([*CLEAN, {**clean(40), "query": "QUESTION 3"}], 1),
    "everywhere": ([{**row, "neg": ["wherever", row["neg"][1]]} for row in CLEAN], 1),
    "non_finite_scores": (put(3, neg_scores=[float("inf"), float("nan")]), 2),
    "scores_out_of_order": (put(3, neg_scores=[0.1, 0.2]), 1),
    "score_at_or_above_positive": (put(3, neg_scores=[0.95, 0.9]), 2),
    "html_entities": (put(3, neg=["fish &amp; chips &#39;", "R&D; and &nosuch;"]), 1),
    "replacement_characters": (put(3, neg=["caf\ufffd", "fine"]), 1),
    "c1_controls": (put(3, neg=["It\x80s", "fine"]), 1),
    "double_encoded": (put(3, neg=["Itâ\x80\x99s", "Itâ€™s"]), 2),
    "not_nfc": (put(3, neg=["cafe\u0301", "café"]), 1),
    "unsegmented_script": (put(3, query="奶瓶什么材质的最好"), 1),
    "length_differences": (put(3, neg=["x" * 200, "y" * 5]), 2),
}


def found(tmp_path: Path, rows: list[dict[str, Any]], **options: Any) -> dict[str, dict[str, Any]]:
    path = tmp_path / "negatives.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return dict(validate(path, **options).findings)


def test_a_clean_file_has_no_finding(tmp_path):
    findings = found(tmp_path, CLEAN)
    assert {name: finding["count"] for name, finding in findings.items() if finding["count"]} == {}
    assert {name for name, finding in findings.items() if finding["severity"] != "ok"} == {"judged_relevant"}
    assert findings["judged_relevant"]["severity"] == "not_run"


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_counted_exactly_and_shown(tmp_path, name):
    rows, count = CASES[name]
    finding = found(tmp_path, rows)[name]
    assert finding["count"] == count
    assert finding["severity"] != "ok"
    if name not in ("missing_ids", "everywhere", "queries_with_other_positives", "positive_of_same_query", "rejected"):
        assert 4 in [example["line"] for example in finding["examples"]]


def test_judged_and_dangling_ids(tmp_path, write_beir):
    folder = write_beir(
        [{"_id": "p3", "title": "", "text": "other words"}, {"_id": "px", "title": "", "text": "WRONG 3 another"}],
        [{"_id": "q3", "text": "question 3"}],
        ["q3\tp3\t1", "q3\tpx\t2"],
    )
    lookup = Lookup.from_files(folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / "test.tsv")
    finding = found(tmp_path, put(3, neg_id=["p3", "n"]), collection=lookup)["judged_relevant"]
    assert (finding["count"], finding["of"]) == (2, 2)  # one by its id, one by its text
    path = tmp_path / "ids.jsonl"
    path.write_text(json.dumps({"qid": "q3", "pos": ["p3", "gone"], "neg": {"bm25": ["px", "lost", "away"]}}) + "\n", encoding="utf-8")
    finding = validate(path, collection=lookup).findings["dangling_ids"]
    assert (finding["count"], finding["of"], finding["details"]) == (3, 5, {"positive": 1, "negative": 2})


def test_an_id_of_two_queries_is_an_error(tmp_path):
    assert found(tmp_path, put(3, query_id="q0"))["duplicate_query_ids"]["severity"] == "error"
    same = found(tmp_path, [*CLEAN, clean(0)])["duplicate_query_ids"]
    assert (same["severity"], same["count"]) == ("warn", 1)


def test_records_are_held_against_each_other_across_chunks(tmp_path):
    rows = [clean(number) for number in range(3000)] + [{**clean(9000), "query": "Question 0", "neg": ["The right answer 0", "x"]}]
    rows[2999] = {**clean(2999), "neg": ["the right answer 1", "y"]}
    findings = found(tmp_path, rows)
    assert findings["positive_of_same_query"]["examples"] == [{"line": 3001, "where": "negatives[0]"}]
    assert findings["positive_of_another_query"]["examples"] == [{"line": 3000, "where": "negatives[0]"}]
    assert findings["queries_with_other_positives"]["count"] == 1


def test_rejects_do_not_stop_the_checks(tmp_path):
    rejects = Rejects()
    findings = found(tmp_path, [{"query": 1, "pos": [], "neg": []}, *put(3, neg=["question 3", "x"])], rejects=rejects)
    assert findings["negative_is_query"]["count"] == 1
    assert sum(counts.total() for counts in rejects.counts.values()) == 1


def test_every_check_is_in_the_manual_and_tried_here():
    names = {*checks(), "rejected", "not_strings"}
    manual = (REPOSITORY / "docs" / "validate.md").read_text(encoding="utf-8")
    assert [name for name in sorted(names) if f"| `{name}` |" not in manual] == []
    assert names - set(CASES) == {"judged_relevant", "dangling_ids"}


def test_a_name_can_be_taken_once():
    with pytest.raises(ValueError, match="two checks are named 'empty_texts'"):
        register(type("Again", (Check,), {"name": "empty_texts", "what": ""}))


def test_an_own_positive_is_not_counted_again_as_that_of_another_record(tmp_path):
    again = {**clean(40), "query": "question 3", "pos": ["another answer"], "neg": ["Another answer", "x"]}
    findings = found(tmp_path, [*CLEAN, again])
    assert findings["negative_is_positive"]["count"] == 1
    assert findings["positive_of_same_query"]["count"] == 0


def test_empty_texts_are_not_the_same_as_each_other(tmp_path):
    rows = [{**clean(number), "query": " ", "pos": [""], "neg": ["", f"wrong {number} either"]} for number in range(12)]
    findings = found(tmp_path, rows)
    assert findings["empty_texts"]["count"] == 36
    for name in ("positive_of_same_query", "positive_of_another_query", "queries_with_other_positives", "everywhere", "negative_is_query"):
        assert findings[name]["count"] == 0, name
