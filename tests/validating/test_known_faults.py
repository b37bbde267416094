"""The faults that published files are known to have are found, with exact counts and lines."""

from __future__ import annotations

import json

import pytest

from negaudit.data.dataset import open_collection
from negaudit.data.formats.lookup import Lookup
from negaudit.validating.double_encoding import repaired
from negaudit.validating.validator import validate

LINES = [47, 51, 57, 62, 67, 72, 74, 75, 86, 87, 96]


def test_rocketqa_has_eleven_negatives_that_are_positives_of_their_query(shared_data):
    finding = validate(shared_data / "negatives/rocketqa/dual.train.tsv").findings["positive_of_same_query"]
    assert (finding["count"], finding["severity"]) == (11, "error")
    assert [example["line"] for example in finding["examples"]] == LINES[: len(finding["examples"])]


def test_every_one_of_the_eleven_lines(shared_data, tmp_path):
    lines = (shared_data / "negatives/rocketqa/dual.train.tsv").read_text(encoding="utf-8").splitlines()
    kept = tmp_path / "kept.tsv"
    kept.write_text("".join(line + "\n" for number, line in enumerate(lines, 1) if number not in LINES), encoding="utf-8")
    assert validate(kept).findings["positive_of_same_query"]["count"] == 0


def test_dpr_lists_a_passage_twice_as_positive(shared_data):
    body = validate(shared_data / "negatives/dpr_haystack/sample.json").body
    finding = body["checks"]["repeated_positives"]
    assert finding["details"]["records"] == 4
    assert body["records"]["valid"] == 5


@pytest.mark.parametrize(("name", "above", "negatives"), [("msmarco", 18, 250), ("nq", 2, 979)])
def test_flagembedding_scores_negatives_above_the_positive(shared_data, name, above, negatives):
    finding = validate(shared_data / f"negatives/flagembedding/embedder_{name}.jsonl").findings["score_at_or_above_positive"]
    assert (finding["count"], finding["of"]) == (above, negatives)


def test_dl19_passages_are_encoded_twice(shared_data, tmp_path):
    texts = [json.loads(line)["text"] for line in (shared_data / "msmarco_dl19/corpus.jsonl").open(encoding="utf-8")]
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps({"query": "q", "pos": ["p"], "neg": texts}) + "\n", encoding="utf-8")
    findings = validate(path).findings
    controls = {text for text in texts if any("\x80" <= character <= "\x9f" for character in text)}
    assert (findings["c1_controls"]["count"], len(controls)) == (2826, 2826)
    # Most of what holds a control was encoded twice; so was what holds none of them ("30Â°C").
    assert sum(repaired(text) != text for text in controls) == 2768
    assert all("â\x80\x99" not in repaired(text) for text in texts)
    assert findings["double_encoded"]["count"] == 3325
    assert all("repair" in example for example in findings["double_encoded"]["examples"])


def test_a_run_with_its_positives_still_in_it_has_label_conflicts(shared_data, tmp_path):
    collection = open_collection(shared_data / "msmarco_dl19")
    lookup = Lookup.of(collection)
    query_id = "264014"
    relevant = lookup.relevant[query_id]
    texts = lookup.known(relevant, "positive")[1]
    path = tmp_path / "conflict.jsonl"
    path.write_text(
        json.dumps({"query_id": query_id, "query": "q", "pos": texts[:1], "neg": [*texts[1:4], "else"]}) + "\n", encoding="utf-8"
    )
    finding = validate(path, collection=lookup).findings["judged_relevant"]
    assert (finding["count"], finding["of"]) == (3, 4)
