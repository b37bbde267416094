"""`negaudit mine` writes what the function of the same name returns, and keeps stdout for the result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import negaudit as package
from negaudit.resources import resource


def test_bm25_writes_what_mine_bm25_returns(negaudit, tiny_folder, tiny_collection, tmp_path):
    ran = negaudit("mine", "bm25", tiny_folder, "--k", 2, "--out", "deep/down/bm25.parquet")
    assert ran.code == 0, ran.err
    written = package.NegativeSource.from_parquet(tmp_path / "deep/down/bm25.parquet")
    assert written.fingerprint() == package.mine_bm25(tiny_collection, k=2).fingerprint()


def test_the_packaged_collection_is_mined_whole(negaudit):
    ran = negaudit("mine", "bm25", resource("scifact"), "--out", "bm25.parquet", "--json")
    body = json.loads(ran.out)
    assert body["records"] == 300
    assert body["counts"]["queries"] == {"read": 1109, "used": 300, "rejected": {"not_judged": 809}}


def test_three_files_stand_for_a_folder(negaudit, tiny_folder):
    three = (
        "--corpus",
        tiny_folder / "corpus.jsonl",
        "--queries",
        tiny_folder / "queries.jsonl",
        "--qrels",
        tiny_folder / "qrels/test.tsv",
    )
    assert negaudit("mine", "bm25", *three, "--out", "a.parquet").code == 0
    assert negaudit("mine", "bm25", tiny_folder, "--out", "b.parquet").code == 0
    first, second = (package.NegativeSource.from_parquet(Path(name)) for name in ("a.parquet", "b.parquet"))
    assert first.fingerprint() == second.fingerprint()


def test_quiet_prints_the_path_alone(negaudit, tiny_folder):
    ran = negaudit("mine", "bm25", tiny_folder, "--out", "x.parquet", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "x.parquet\n", "")


def test_the_table_says_what_was_left_out(negaudit, tiny_folder):
    ran = negaudit("mine", "bm25", tiny_folder, "--out", "x.parquet")
    assert "positive_id" in ran.out
    assert "collection: passages" in ran.out
    assert "written to x.parquet" in ran.out
    assert "3 records have fewer negatives than asked for" in ran.err  # ten were, of five passages


def test_overwrite_never_missing_always(negaudit, tiny_folder, tmp_path):
    mine = ("mine", "bm25", tiny_folder, "--out", "x.parquet", "--json")
    assert negaudit(*mine, "--k", 2).code == 0
    before = (tmp_path / "x.parquet").read_bytes()
    refused = negaudit(*mine, "--k", 1)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "x.parquet exists" in refused.err
    kept = negaudit(*mine, "--k", 1, "--overwrite", "missing")
    assert (kept.code, json.loads(kept.out)["kept"]) == (0, True)
    assert (tmp_path / "x.parquet").read_bytes() == before
    replaced = negaudit(*mine, "--k", 1, "--overwrite", "always")
    assert (replaced.code, json.loads(replaced.out)["kept"]) == (0, False)
    assert (tmp_path / "x.parquet").read_bytes() != before


@pytest.mark.parametrize("out", [".", "file/below"])
def test_an_output_that_cannot_be_written_is_known_before_the_work(negaudit, tmp_path, out):
    (tmp_path / "file").write_text("in the way")
    ran = negaudit("mine", "bm25", "no such dataset", "--out", out)
    assert ran.code == 2
    assert f"cannot write {out}" in ran.err


def test_a_wrong_encoder_is_one_line(negaudit, tiny_folder, tmp_path):
    ran = negaudit("mine", "dense", tiny_folder, "--encoder", tmp_path / "no-model", "--out", "x.parquet")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "no-model" in ran.err
    assert not (tmp_path / "x.parquet").exists()
