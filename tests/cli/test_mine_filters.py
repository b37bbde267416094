"""The filters, the sweep and the hybrid of `negaudit mine` do what the functions of the same names do."""

from __future__ import annotations

import json

import pytest

import negaudit as package
from negaudit.resources import resource


def test_the_sweep_adds_up_for_every_record_and_writes_nothing(negaudit, tmp_path):
    ran = negaudit("mine", "bm25", resource("scifact"), "--cache", "cache", "--sweep-margin", "0.8,0.9,0.95", "--json")
    assert ran.code == 0, ran.err
    margins = json.loads(ran.out)["margins"]
    assert [one["margin"] for one in margins] == [0.8, 0.9, 0.95]
    for one in margins:
        assert len(one["records"]) == 300
        for record in (*one["records"], one["negatives"]):
            assert record["read"] == record["used"] + sum(record["rejected"].values())
        assert one["kept"] == sum(record["used"] for record in one["records"])
    assert margins[0]["kept"] < margins[1]["kept"] <= margins[2]["kept"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache"]


@pytest.mark.parametrize("margin", ["0.8", "0.95"])
def test_mining_keeps_what_the_sweep_said(negaudit, margin):
    common = ("mine", "bm25", resource("scifact"), "--cache", "cache", "--json")
    [swept] = json.loads(negaudit(*common, "--sweep-margin", margin).out)["margins"]
    mined = json.loads(negaudit(*common, "--relative-margin", margin, "--out", "x.parquet").out)
    assert mined["counts"]["negatives"] == swept["negatives"]
    assert mined["details"]["yield"] == {"asked": 3000, "kept": swept["kept"], "share": swept["share"]}


def test_filters_reach_the_miner_and_the_metadata(negaudit, tmp_path):
    options = (
        "--ranks",
        "5:40",
        "--sampling",
        "softmax",
        "--sampling-temperature",
        "2",
        "--seed",
        "0",
        "--near-duplicate",
        "0.9",
        "--require-k",
    )
    ran = negaudit("mine", "bm25", resource("scifact"), "--cache", "cache", "--out", "x.parquet", "--json", *options)
    assert ran.code == 0, ran.err
    source = package.NegativeSource.from_parquet(tmp_path / "x.parquet")
    asked = package.CandidateFilters(ranks=(5, 40), sampling="softmax", temperature=2.0, seed=0, near_duplicate=0.9, require_k=True)
    assert source.metadata.origins["bm25"]["filters"] == asked.as_dict()
    assert asked.as_dict()["seed"] == 0
    collection = package.open_collection(resource("scifact"))
    assert source.fingerprint() == package.mine_bm25(collection, filters=asked).fingerprint()
    assert all(5 <= (negative.rank or 0) <= 40 for record in source.records() for negative in record.negatives)


def test_the_index_is_kept_in_the_cache(negaudit, tiny_folder, tmp_path):
    assert negaudit("mine", "bm25", tiny_folder, "--cache", "kept", "--out", "x.parquet").code == 0
    assert list((tmp_path / "kept" / "bm25-1").glob("*/vocab.index.json"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Missing option '--out'"),
        (("--out", "x.parquet", "--ranks", "10-50"), "expected FIRST:LAST"),
        (("--sweep-margin", "0.9;0.95"), "expected numbers such as 0.8,0.9,0.95"),
        (("--out", "x.parquet", "--near-duplicate", "2"), "near duplicate is 2.0"),
        (("--out", "x.parquet", "--cross-encoder", "./nothing"), "no such folder"),
    ],
)
def test_bad_options_are_one_line(negaudit, tiny_folder, tmp_path, options, words):
    ran = negaudit("mine", "bm25", tiny_folder, "--cache", "cache", *options)
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert words in ran.err
    assert not (tmp_path / "x.parquet").exists()


def test_hybrid_writes_what_mine_hybrid_returns(negaudit, tiny_folder, tmp_path):
    for name, k1 in (("a", "1.5"), ("b", "0.1")):
        assert negaudit("mine", "bm25", tiny_folder, "--cache", "cache", "--k1", k1, "--out", f"{name}.parquet").code == 0
    ran = negaudit("mine", "hybrid", "a.parquet", "other=b.parquet", "--total", 2, "--out", "h.parquet", "--json")
    assert ran.code == 0, ran.err
    sources = [
        package.NegativeSource.from_parquet(tmp_path / "a.parquet"),
        package.NegativeSource.from_parquet(tmp_path / "b.parquet", "other"),
    ]
    written = package.NegativeSource.from_parquet(tmp_path / "h.parquet", "hybrid")
    expected = package.mine_hybrid(sources, total=2)
    assert (written.fingerprint(), written.metadata) == (expected.fingerprint(), expected.metadata)
    assert set(json.loads(ran.out)["counts"]) == {"queries", "negatives of a", "negatives of other"}


def test_prefixes_are_shown(negaudit, tiny_folder, tmp_path):
    ran = negaudit(
        "mine", "dense", tiny_folder, "--cache", tmp_path / "cache", "--query-prefix", "q: ", "--device", "cpu", "--out", "x.parquet"
    )
    assert ran.code == 0, ran.err
    assert "query prefix 'q: ' (given), passage prefix '' (none known)" in ran.err
