"""The packaged negatives that a small model wrote: what they are, and that their high psi recommends nothing."""

from __future__ import annotations

import pytest

import negaudit
from negaudit.demonstration import SPLIT, on_queries_of, written_source
from negaudit.mining.llm.prompt import load_prompt, shipped_prompts
from negaudit.resources import resource
from tests.encoders import embedding_cache, packaged_encoder  # noqa: F401
from tests.mining.llm.independent_checker import faults, sentences


@pytest.fixture(scope="module")
def written():
    return written_source()


def test_they_are_for_a_hundred_claims_or_more_and_say_who_wrote_them(written):
    how = written.metadata.origins["llm"]
    assert written.num_records >= 100
    assert how["model"].startswith("SmolLM2-135M-Instruct")
    assert how["prompt"] == load_prompt("plain").describe()
    assert written.metadata.inputs == negaudit.open_collection(resource("scifact"), split=SPLIT).fingerprints
    counts = written.metadata.counts
    assert counts["queries"]["used"] == written.num_records
    assert counts["negatives"]["used"] == sum(len(record.negatives) for record in written.records())
    assert sum(counts["negatives"]["rejected"].values()) > 0


def test_each_of_them_passes_the_independent_checker(written):
    own = sentences(shipped_prompts()["plain"].read_text(encoding="utf-8").split("+++")[2])
    low, high = written.metadata.origins["llm"]["parameters"]["characters"]
    k = written.metadata.details["k"]
    assert [fault for record in written.records() for fault in faults(record, k, own, low, high)] == []


@pytest.mark.acceptance
def test_the_review_does_not_recommend_them_for_their_psi_and_says_why(written, packaged_encoder):  # noqa: F811
    collection = negaudit.open_collection(resource("scifact"), split=SPLIT)
    mined = {"bm25": negaudit.mine_bm25(collection), "dense": negaudit.mine_dense(collection, encoder=packaged_encoder)}
    shared = {name: on_queries_of(written, source) for name, source in mined.items()} | {"llm": written}
    assert {source.num_records for source in shared.values()} == {written.num_records}
    audit = negaudit.audit(shared, genuine=("bm25", "dense"), encoder=packaged_encoder)
    psi = {name: source["mean_psi"] for name, source in audit.summary["sources"].items()}
    assert psi["llm"] > max(psi["bm25"], psi["dense"])  # by psi alone it would be the first choice
    judged = audit.body["sources"]["llm"]
    assert "mean_psi" in judged["flags"]
    assert judged["verdict"]["usable"] != "yes"
    assert "its negatives share fewer query words than in any genuine source" in judged["verdict"]["why"]
    assert "llm" not in [name for group in audit.body["ranking"] for name in group]
    assert "psi of a flagged source ranks nothing" in audit.body["caution"]
