"""Whatever a server does, what is accepted passes an independent check, and what is not is counted by reason."""

from __future__ import annotations

import json
import time

import pytest

from negaudit.errors import NegauditError
from negaudit.mining.llm.miner import mine_llm
from negaudit.mining.llm.prompt import shipped_prompts
from negaudit.mining.llm.retrying import Retrying
from tests.mining.llm.canned_server import Answer, completion, good, passages
from tests.mining.llm.independent_checker import faults, sentences

PROMPT = sentences(shipped_prompts()["plain"].read_text(encoding="utf-8").split("+++")[2])


def said(asked, *texts, finish="stop", around="{}"):
    return Answer(completion(around.replace("{}", json.dumps({"passages": list(texts)})), finish))


def mined(claims, asking, *, k=3, limit=4, attempts=2, **options):
    """Mine, hold every accepted record against the independent checker, and return records and metadata."""
    backend = asking(**options.pop("backend", {}))
    source = mine_llm(claims, backend=backend, k=k, limit=limit, attempts=attempts, **options)
    records = list(source.records())
    assert [fault for record in records for fault in faults(record, k, PROMPT)] == []
    counts = source.metadata.counts
    for account in counts.values():
        assert account["read"] == account["used"] + sum(account["rejected"].values())
    assert counts["negatives"]["used"] == sum(len(record.negatives) for record in records)
    return records, source.metadata


def first_then_good(answer):
    """A script that misbehaves on the first request for each query."""
    return lambda asked: answer(asked) if asked.number == 0 else good(asked)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_status_that_passes_is_tried_again(claims, canned, asking, status):
    canned.script = first_then_good(lambda _: Answer({"error": "busy"}, status))
    records, metadata = mined(claims, asking)
    assert [len(record.negatives) for record in records] == [3] * 4
    assert metadata.details["retried"] == {f"http_{status}": 4}
    assert metadata.counts["requests"]["read"] == 4  # a repeated try is no second question


def test_retry_after_is_waited_for(claims, canned, asking):
    canned.script = first_then_good(lambda _: Answer({}, 429, headers={"Retry-After": "0.4"}))
    start = time.monotonic()
    mined(claims, asking, limit=1, backend={"retrying": Retrying(1, 0.01, 5.0)})
    assert time.monotonic() - start >= 0.4


def test_a_dropped_connection_is_tried_again(claims, canned, asking):
    canned.script = first_then_good(lambda _: Answer(completion("half of it"), dropped=True))
    records, metadata = mined(claims, asking)
    assert [len(record.negatives) for record in records] == [3] * 4
    assert metadata.details["retried"] == {"dropped": 4}


def test_a_slow_answer_is_given_up_and_tried_again(claims, canned, asking):
    canned.script = first_then_good(lambda asked: Answer(good(asked).body, seconds=5))
    records, metadata = mined(claims, asking, limit=2, backend={"timeout": 0.5})
    assert [len(record.negatives) for record in records] == [3] * 2
    assert metadata.details["retried"] == {"timeout": 2}


@pytest.mark.parametrize("body", ["no json", {"error": "?"}, {"choices": []}, [1], {"choices": [{"message": None}]}])
def test_an_answer_that_is_no_completion_is_tried_again(claims, canned, asking, body):
    canned.script = first_then_good(lambda _: Answer(body))
    assert mined(claims, asking, limit=2)[1].details["retried"] == {"no_completion": 2}


@pytest.mark.parametrize(
    ("content", "finish", "reason"),
    [
        ('{"passages": ["one passage that is long enough", "and ano', "stop", "not_json"),
        ('{"passages": ["one passage that is long enough and whole"]}', "length", "cut_off"),
        ('{"passages": ["one passage that is long enough and whole"]}', "content_filter", "filtered"),
        ("", "stop", "empty"),
        (None, "stop", "empty"),
        ('{"passages": []}', "stop", "empty"),
        ("I would rather not.", "stop", "not_json"),
        ("<think>First I have to", "stop", "unfinished_thinking"),
        ("[" * 20_000, "stop", "not_json"),
        ("see [1] and [2, 3]", "stop", "not_json"),
    ],
)
def test_an_answer_without_passages_fails_and_is_asked_again(claims, canned, asking, content, finish, reason):
    canned.script = first_then_good(lambda _: Answer(completion(content, finish)))
    records, metadata = mined(claims, asking, limit=2)
    assert [len(record.negatives) for record in records] == [3] * 2
    assert metadata.counts["requests"] == {"read": 4, "used": 2, "rejected": {reason: 2}}


@pytest.mark.parametrize(
    "around",
    ["Sure! Here are [3] passages:\n```json\n{}\n```\nAnything else?", '<think>["no"] hm { </think>\n{}', "{}\nThat is all [done]."],
)
def test_passages_are_found_in_prose_and_fences_and_after_thinking(claims, canned, asking, around):
    canned.script = lambda asked: said(asked, *passages(asked.query, asked.k), around=around)
    records, metadata = mined(claims, asking, attempts=1)
    assert [len(record.negatives) for record in records] == [3] * 4
    assert metadata.counts["requests"]["rejected"] == {}


def test_a_short_record_is_asked_for_what_is_missing_then_kept_short(claims, canned, asking):
    canned.script = lambda asked: said(asked, *passages(f"{asked.query}{asked.number}", 1))
    records, metadata = mined(claims, asking, k=5, limit=2, attempts=3)
    assert [len(record.negatives) for record in records] == [3, 3]
    assert sorted(asked.k for asked in canned.asked) == [3, 3, 4, 4, 5, 5]
    assert metadata.details["short_records"] == {"records": 2, "missing_negatives": 4, "without_negatives": 0}


def test_what_is_too_much_is_left_and_counted(claims, canned, asking):
    canned.script = lambda asked: said(asked, *passages(asked.query, 7))
    assert mined(claims, asking)[1].counts["negatives"] == {"read": 28, "used": 12, "rejected": {"surplus": 16}}


BAD = {
    "positive_copy": lambda asked: asked.positive,
    "query": lambda asked: f"“{asked.query.upper()}”",
    "too_short": lambda _: "Too short.",
    "too_long": lambda _: "word " * 2000,
    "empty": lambda _: "  \n ",
    "not_a_string": lambda _: 17,
    "not_text": lambda _: "half a character \ud800 in a long passage",
    "refusal": lambda _: "I'm sorry, but I cannot write such passages for you.",
    "prompt_echo": lambda _: f"The task: {PROMPT[0]}",
    "repeat": lambda asked: passages(f"{asked.query}{asked.number}", asked.k)[0].upper(),
    "other_script": lambda _: "Это совсем другой отрывок текста о чём-то постороннем.",
    "no_words": lambda _: "… — !!! ??? *** --- ... ### $$$",
}


@pytest.mark.parametrize("reason", BAD)
def test_a_bad_passage_is_rejected_by_its_reason_and_replaced_by_a_new_one(claims, canned, asking, reason):
    def script(asked):
        fine = passages(f"{asked.query}{asked.number}", asked.k)
        return said(asked, *fine[: asked.k - 1], BAD[reason](asked)) if asked.number == 0 else said(asked, *fine)

    canned.script = script
    records, metadata = mined(claims, asking)
    assert metadata.counts["negatives"]["rejected"] == {reason: 4}
    assert [len(record.negatives) for record in records] == [3] * 4


def test_a_piece_of_the_positive_is_a_copy_of_it(claims, canned, asking):
    canned.script = first_then_good(lambda asked: said(asked, " ".join(asked.positive.split()[3:40])))
    assert mined(claims, asking)[1].counts["negatives"]["rejected"] == {"positive_copy": 4}


def test_a_server_without_response_formats_is_asked_in_plain_text(claims, canned, asking):
    canned.script = lambda asked: Answer({"error": "unknown response_format"}, 400) if asked.schema else good(asked)
    records, metadata = mined(claims, asking, limit=8, backend={"in_flight": 1})
    assert [len(record.negatives) for record in records] == [3] * 8
    assert [asked.schema for asked in canned.asked] == [True] + [False] * 8  # found out once
    assert metadata.details["retried"] == {"schema_refused": 1}


def test_a_record_that_gets_no_answer_is_left_out_counted_and_asked_again_later(claims, canned, asking, tmp_path):
    journal = tmp_path / "journal"
    unlucky = mine_llm(claims, backend=asking(), k=2, limit=5, journal=tmp_path / "other").to_table()["query"].to_pylist()[2]
    canned.script = lambda asked: Answer({}, 500) if asked.query == unlucky else good(asked)
    records, metadata = mined(claims, asking, k=2, limit=5, journal=journal)
    assert unlucky not in [record.query for record in records]
    assert metadata.counts["queries"]["rejected"]["http_500"] == 1
    canned.script, canned.asked = good, []
    records, _ = mined(claims, asking, k=2, limit=5, journal=journal)
    assert canned.queries == [unlucky]
    assert len(records) == 5


@pytest.mark.parametrize("status", [401, 404])
def test_a_hopeless_server_stops_the_run_in_one_line(claims, canned, asking, status):
    canned.script = lambda _: Answer({"error": "no such model"}, status)
    with pytest.raises(NegauditError, match=f"status {status}.*no such model") as error:
        mined(claims, asking)
    assert "\n" not in str(error.value)


def test_a_dead_server_stops_the_run_and_keeps_what_is_finished(claims, asking, canned, tmp_path):
    canned.script = lambda asked: good(asked) if len(canned.asked) <= 3 else Answer({}, 500)
    with pytest.raises(NegauditError, match="requests in a row got no answer"):
        mine_llm(claims, backend=asking(in_flight=1, retrying=Retrying(0)), k=2, limit=100, journal=tmp_path / "journal")
    assert (tmp_path / "journal").read_text().count('"finished"') == 3
