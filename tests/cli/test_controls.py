"""`negaudit controls` writes one file per control into the folder, beside what is there."""

from __future__ import annotations

import json

import pytest

import negaudit as package


@pytest.fixture
def mined(negaudit, tiny_folder, tmp_path):
    assert negaudit("mine", "bm25", tiny_folder, "--k", 1, "--out", "bm25.parquet").code == 0
    return tmp_path / "bm25.parquet"


def test_each_control_is_what_build_controls_returns(negaudit, mined, tiny_folder, tiny_collection, tmp_path):
    ran = negaudit("controls", tiny_folder, "--source", mined, "--out", "out", "--seed", 0)
    assert ran.code == 0, ran.err
    built = package.build_controls({"bm25": package.NegativeSource.from_parquet(mined)}, collection=tiny_collection, seed=0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{name}.parquet" for name in built}
    for name, control in built.items():
        written = package.NegativeSource.from_parquet(tmp_path / "out" / f"{name}.parquet")
        assert (written.role, written.fingerprint()) == ("control", control.fingerprint())


def test_own_recipes_and_chosen_controls(negaudit, mined, tmp_path):
    (tmp_path / "half.toml").write_text('kind = "random"\nfraction = 0.5\n')
    ran = negaudit(
        "controls", "--source", f"mine={mined}", "--base", "mine", "--control", "random", "--recipe", "half.toml", "--out", "out", "--json"
    )
    assert list(json.loads(ran.out)["controls"]) == ["random", "half"]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"random.parquet", "half.parquet"}


def test_what_needs_an_encoder_is_left_out_with_a_word_and_refused_where_it_is_named(negaudit, mined):
    ran = negaudit("controls", "--source", mined, "--out", "out")
    assert ran.code == 0
    assert "left out for want of --encoder: neighbor_positive" in ran.err
    refused = negaudit("controls", "--source", mined, "--control", "neighbor_positive", "--out", "other")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "'neighbor_positive' is built by an encoder" in refused.err


def test_a_recipe_on_the_command_line_is_built_alone_and_may_start_from_another(negaudit, mined, tmp_path):
    one, two = "own=own_positive,fraction=1,mode=count", "mixed=random,fraction=0.5,base=own"
    ran = negaudit("controls", "--source", mined, "--set", one, "--set", two, "--out", "out", "--json")
    assert ran.code == 0, ran.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"own.parquet", "mixed.parquet"}
    assert json.loads(ran.out)["controls"]["mixed"]["share_with_bases"] == 1


def test_missing_builds_only_what_is_not_there(negaudit, mined, tmp_path):
    controls = ("controls", "--source", mined, "--out", "out", "--json")
    assert negaudit(*controls, "--control", "random", "--seed", 1).code == 0
    before = (tmp_path / "out/random.parquet").read_bytes()
    refused = negaudit(*controls)
    assert refused.code == 2
    assert not (tmp_path / "out/shuffled.parquet").exists()
    ran = negaudit(*controls, "--overwrite", "missing")
    seeds = {name: body["seed"] for name, body in json.loads(ran.out)["controls"].items()}
    assert seeds.pop("random") == 1
    assert set(seeds) == {"dilute_25", "dilute_50", "dilute_75", "dilute_100", "own_positive", "shuffled"}
    assert set(seeds.values()) == {42}
    assert (tmp_path / "out/random.parquet").read_bytes() == before


def test_a_kept_file_that_is_no_control_is_refused(negaudit, mined, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/random.parquet").write_bytes(mined.read_bytes())
    ran = negaudit("controls", "--source", mined, "--out", "out", "--overwrite", "missing")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "is no control" in ran.err


def test_two_sources_of_one_name_are_refused(negaudit, mined):
    ran = negaudit("controls", "--source", mined, "--source", f"bm25={mined}", "--out", "out")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "two sources are named 'bm25'" in ran.err
