"""Files as people published them: read without options, and every record, positive and negative is there, by a count made here."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from negaudit.data.dataset import open_collection
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.opening import open_source, open_systems
from negaudit.errors import NegauditError
from negaudit.validating.validator import validate

FLAGEMBEDDING = ("msmarco", "nli", "nq", "sts")
RUNS = ("BM25", "BM25_RM3", "D_BERT_KD_TASB", "OPEN_AI_ADA2", "REP_LLAMA", "SPLADE_P_P_ENSEMBLE_DISTIL")
NAMES = [
    *(f"flagembedding/embedder_{name}.jsonl" for name in FLAGEMBEDDING),
    "flagembedding/old_toy_finetune_data.jsonl",
    "flagembedding/reranker_prompt_based_examples.jsonl",
    "gritlm/toy_data_embedding.jsonl",
    "reasonir_llm_neg/biology_1_train_data.baseline.jsonl",
    "reasonir_llm_neg/biology_1_train_data.hq_gen.jsonl",
    "reasonir_llm_neg/input_generated_negative.jsonl",
    "reasonir_llm_neg/negative_sample.sample.jsonl",
]


def counted(source) -> tuple[int, int, int]:
    records = list(source.records())
    assert source.num_records == len(records)
    return len(records), sum(len(record.positives) for record in records), sum(len(record.negatives) for record in records)


@pytest.mark.parametrize("name", NAMES)
def test_flagembedding(shared_data, name):
    rows = [json.loads(line) for line in (shared_data / "negatives" / name).open(encoding="utf-8")]
    source = open_source(shared_data / "negatives" / name)
    expected = (len(rows), sum(len(row["pos"]) for row in rows), sum(len(row.get("neg", ())) for row in rows))
    assert counted(source) == expected
    assert source.metadata.details["format"] == "flagembedding"
    if name.startswith("flagembedding/"):
        assert expected[0] == 10
    flat = [text if isinstance(text, str) else text[1] for row in rows for text in row.get("neg", ())]
    assert [negative.text for record in source.records() for negative in record.negatives] == flat


def test_reasonir_queries_are_the_texts_and_their_ids(shared_data):
    path = shared_data / "negatives/reasonir_llm_neg/input_generated_negative.jsonl"
    rows = [json.loads(line)["query"] for line in path.open(encoding="utf-8")]
    assert [(record.query, record.query_id) for record in open_source(path).records()] == [(row[0], row[2]) for row in rows]


def test_dpr(shared_data):
    path = shared_data / "negatives/dpr_haystack/sample.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    source = open_source(path)
    negatives = sum(len(row["negative_ctxs"]) + len(row["hard_negative_ctxs"]) for row in rows)
    assert counted(source) == (5, sum(len(row["positive_ctxs"]) for row in rows), negatives)
    origins = Counter(negative.origin for record in source.records() for negative in record.negatives)
    assert origins == {name: sum(len(row[name]) for row in rows) for name in ("negative_ctxs", "hard_negative_ctxs")}
    first = rows[0]["hard_negative_ctxs"][0]
    assert next(source.records()).negatives[0].text == f"{first['title']} {first['text']}".strip()


def test_rocketqa(shared_data):
    path = shared_data / "negatives/rocketqa/dual.train.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    source = open_source(path)
    assert counted(source) == (len(lines), len(lines), len(lines)) == (100, 100, 100)
    assert len({record.query_id for record in source.records()}) == 8


@pytest.fixture
def fiqa(shared_data) -> tuple[Path, Lookup]:
    folder = shared_data / "negatives" / "gpl_fiqa_sample"
    return folder, Lookup.from_files(folder / "corpus.jsonl", folder / "qgen-queries.jsonl")


def test_gpl_lines(fiqa):
    folder, lookup = fiqa
    lines = [line.split() for line in (folder / "gpl-training-data.tsv").open(encoding="utf-8")]
    source = open_source(folder / "gpl-training-data.tsv", collection=lookup)
    assert counted(source) == (20, 20, 20)
    found = [(record.query_id, record.positive_ids[0], record.negatives[0].id) for record in source.records()]
    assert found == [tuple(line[:3]) for line in lines]


def test_a_file_of_two_systems_is_two_sources(fiqa):
    folder, lookup = fiqa
    path = folder / "hard-negatives.jsonl"
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    sources = {source.name: source for source in open_systems(path, collection=lookup)}
    assert set(sources) == {"msmarco-distilbert-base-v3", "msmarco-MiniLM-L-6-v3"}
    for name, source in sources.items():
        ids = [negative.id for record in source.records() for negative in record.negatives]
        assert ids == [identifier for row in rows for identifier in row["neg"][name]]
        assert counted(source)[:2] == (30, 30)
    assert counted(open_source(path, collection=lookup))[2] == sum(len(ids) for row in rows for ids in row["neg"].values())
    for reader in (open_source, validate):
        with pytest.raises(NegauditError, match=r"no negative of system 'bm25' \(there is: msmarco-distilbert"):
            reader(f"{path}#bm25", collection=lookup)


def test_files_of_a_collection_are_told_for_what_they_are(shared_data):
    folder = shared_data / "negatives" / "gpl_fiqa_sample"
    for name, option in (("corpus.jsonl", "--corpus"), ("qgen-queries.jsonl", "--queries"), ("qgen-qrels/train.tsv", "--qrels")):
        with pytest.raises(NegauditError, match=option):
            open_source(folder / name)


@pytest.fixture(scope="module")
def dl19(shared_data):
    return open_collection(shared_data / "msmarco_dl19")


@pytest.mark.parametrize("system", RUNS)
def test_runs(shared_data, dl19, system):
    path = shared_data / "msmarco_dl19" / "runs" / f"trec_results_dl19_top100.{system}.txt"
    graded = [line.split() for line in (shared_data / "msmarco_dl19/qrels/test.tsv").open(encoding="utf-8")][1:]
    positive = {(query, passage) for query, passage, grade in graded if int(grade) >= 1}
    known = set(dl19.passages["id"].to_pylist())
    lines = [line.split() for line in path.open(encoding="utf-8")]
    kept = [(line[0], line[2]) for line in lines if (line[0], line[2]) not in positive and line[2] in known]
    source = open_source(path, collection=dl19)
    found = [(record.query_id, negative.id) for record in source.records() for negative in record.negatives]
    removed = source.metadata.counts["negatives"]["rejected"]
    assert sorted(found) == sorted(kept)
    assert source.num_records == len({line[0] for line in lines}) == 43
    assert removed.get("positive_id", 0) == sum((line[0], line[2]) in positive for line in lines)
    assert sum(len(record.positives) for record in source.records()) == len(positive)
    run = source.metadata.details["run"]
    depths = Counter(line[0] for line in lines)
    ties = sum(one[0] == other[0] and one[4] == other[4] for one, other in pairwise(lines))
    assert (run["depth"], run["ties"]) == ({"min": min(depths.values()), "max": max(depths.values())}, ties)
    if system == "REP_LLAMA":
        assert (run["depth"]["max"], run["ties"]) == (1000, 40_001)
