"""`validate`, `convert` and `show`, and scoring files of others as they are."""

from __future__ import annotations

import json

import pytest

GOOD = {"query": "how tall is a giraffe", "pos": ["five metres"], "neg": ["six tonnes", "a giraffe sleeps little"], "neg_scores": [2, 1]}
BAD = {"query": "who", "pos": "a string", "neg": []}


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "theirs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, BAD, {**GOOD, "query": "where"})), encoding="utf-8")
    return path


def test_a_published_file_is_scored_without_converting(negaudit, shared_data, tmp_path):
    folder = shared_data / "negatives"
    systems = folder / "gpl_fiqa_sample"
    ran = negaudit(
        *("score", "--out", "scores", "--json", "--source", folder / "flagembedding/embedder_nq.jsonl"),
        *("--source", f"dpr={folder / 'dpr_haystack/sample.json'}", "--source", systems / "hard-negatives.jsonl"),
        *("--source", f"one={systems / 'hard-negatives.jsonl'}#msmarco-MiniLM-L-6-v3"),
        *("--corpus", systems / "corpus.jsonl", "--queries", systems / "qgen-queries.jsonl"),
    )
    assert ran.code == 0
    sources = json.loads(ran.out)["sources"]
    assert list(sources) == ["embedder_nq", "dpr", "msmarco-distilbert-base-v3", "msmarco-MiniLM-L-6-v3", "one"]
    assert sources["one"]["mean_psi"] == sources["msmarco-MiniLM-L-6-v3"]["mean_psi"]
    assert sources["embedder_nq"]["negatives"]["read"] == 979


def test_what_scoring_leaves_out_is_said_and_written(negaudit, mixed, tmp_path):
    ran = negaudit("score", "--source", mixed, "--out", "scores")
    assert ran.code == 0
    assert "1 records cannot be used (1 string_for_list), the first in line 2" in ran.err
    assert json.loads((tmp_path / "scores/rejects.jsonl").read_text())["line"] == 2


def test_validate_flags_errors_and_names_the_lines(negaudit, mixed, tmp_path):
    ran = negaudit("validate", mixed)
    assert ran.code == 1
    assert "line 2 string_for_list" in ran.out
    assert "all are in rejects.jsonl" in ran.err
    assert (tmp_path / "rejects.jsonl").exists()
    assert negaudit("validate", mixed, "--fail-on", "never").code == 0
    body = json.loads(negaudit("validate", mixed, mixed, "--json", "--fail-on", "never").out)
    assert [file["records"] for file in body["files"]] == [{"read": 3, "valid": 2, "rejected": {"string_for_list": 1}}] * 2


@pytest.mark.parametrize("command", [("validate",), ("convert", "--to", "tevatron", "--out", "out.jsonl")])
def test_strict_is_one_line_and_exit_code_two(negaudit, mixed, command):
    ran = negaudit(command[0], mixed, *command[1:], "--strict")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "line 2: pos is a string where a list belongs" in ran.err


def test_validate_leaves_with_zero_where_nothing_is_wrong(negaudit, tmp_path):
    (tmp_path / "fine.jsonl").write_text(json.dumps(GOOD) + "\n")
    assert negaudit("validate", "fine.jsonl").code == 0
    (tmp_path / "warned.jsonl").write_text(json.dumps({**GOOD, "neg": ["caf\ufffd", "x"]}) + "\n")
    assert negaudit("validate", "warned.jsonl").code == 0
    assert negaudit("validate", "warned.jsonl", "--fail-on", "warn").code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("validate", "gone.jsonl"), "no such file"),
        (("validate", "theirs.jsonl", "--format", "tevatrom"), "did you mean 'tevatron'"),
        (("convert", "theirs.jsonl", "--to", "excel", "--out", "x.jsonl"), "unknown target format 'excel'"),
        (("convert", "theirs.jsonl", "--to", "tevatron", "--out", "x.jsonl", "--ranks", "9-1"), "expected LOW-HIGH"),
        (("show", "theirs.jsonl"), "give one of --query ID, --line N and --random N"),
        (("show", "theirs.jsonl", "--query", "nobody"), "no record of query 'nobody'"),
        (("show", "theirs.jsonl", "--random", "1", "--scores", "scores"), "no such file"),
    ],
)
def test_whatever_is_wrong_is_one_line_with_exit_code_two(negaudit, mixed, arguments, said):
    ran = negaudit(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_convert_says_what_is_lost(negaudit, mixed, tmp_path):
    ran = negaudit("convert", mixed, "--to", "st-ntuple", "--out", "out.csv")
    assert ran.code == 0
    assert "lost: negative scores" in ran.out
    assert (tmp_path / "out.csv").read_text().startswith("anchor,positive,negative_1,negative_2")
    assert negaudit("convert", mixed, "--to", "st-ntuple", "--out", "out.csv").code == 2
    assert negaudit("convert", mixed, "--to", "st-ntuple", "--out", "out.csv", "--overwrite", "missing").code == 0


def test_convert_cuts_a_run(negaudit, shared_data):
    folder = shared_data / "msmarco_dl19"
    run = folder / "runs" / "trec_results_dl19_top100.REP_LLAMA.txt"
    ran = negaudit("convert", run, "--dataset", folder, "--to", "negaudit", "--out", "r.parquet", "--k", 5, "--ranks", "10-50", "--json")
    body = json.loads(ran.out)
    assert (body["run"]["depth"], body["run"]["ties"], body["run"]["ranks"]) == ({"min": 1000, "max": 1000}, 40_001, [10, 50])
    shown = json.loads(negaudit("show", "r.parquet", "--random", 43, "--json").out)["records"]
    ranks = [[negative["rank"] for negative in record["negatives"]] for record in shown]
    assert max(map(len, ranks)) == 5
    assert {rank for of_one in ranks for rank in of_one} <= set(range(10, 51))


def test_show_lays_out_the_record_with_the_numbers_of_its_pairs(negaudit, mixed):
    negaudit("score", "--source", mixed, "--out", "scores")
    ran = negaudit("show", mixed, "--query", "where", "--scores", "scores")
    assert ran.code == 0
    for part in ("where", "line 3", "five metres", "six tonnes", "theirs", "psi"):
        assert part in ran.out
    pairs = json.loads(negaudit("show", mixed, "--line", 3, "--scores", "scores", "--json").out)["records"][0]["negatives"]
    assert [sorted(pair["numbers"]) for pair in pairs] == [["coverage", "psi"]] * 2
    drawn = [negaudit("show", mixed, "--random", 1, "--seed", seed).out for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
