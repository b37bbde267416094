"""Options come before the environment, the environment before negaudit.toml, that before the defaults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def mined_k(negaudit, tiny_folder):
    """Call it with further options: the K that `mine bm25` ran with."""

    def call(*arguments: object) -> int:
        ran = negaudit("mine", "bm25", tiny_folder, "--out", "x.parquet", "--overwrite", "always", "--json", *arguments)
        assert ran.code == 0, ran.err
        return json.loads(ran.out)["details"]["k"]

    return call


def test_each_place_gives_way_to_the_one_before_it(mined_k, monkeypatch):
    assert mined_k() == 10
    Path("negaudit.toml").write_text("k = 4\n")
    assert mined_k() == 4
    Path("negaudit.toml").write_text("k = 4\n[mine.bm25]\nk = 3\n")
    assert mined_k() == 3
    monkeypatch.setenv("NEGAUDIT_K", "2")
    assert mined_k() == 2
    assert mined_k("--k", 1) == 1


def test_a_table_is_for_its_command_alone(mined_k):
    Path("negaudit.toml").write_text("seed = 7\n[mine.dense]\nk = 3\nmax-length = 64\n[controls]\nbase = 'x'\n")
    assert mined_k() == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sede = 3", "negaudit.toml: unknown key 'sede'; did you mean 'seed'? (valid: attempts, b, "),
        (
            "[mine.bm25]\nencoder = 'x'",
            "negaudit.toml [mine.bm25]: unknown key 'encoder'; did you mean 'cross-encoder'? (valid: b, cache, corpus, ",
        ),
        ("[mine.bm52]\nk = 3", "negaudit.toml: unknown table 'mine.bm52'; did you mean 'mine.bm25'?"),
        ("[mine]\nk = 3", "negaudit.toml: unknown table 'mine.k'"),
        ("k = ", "negaudit.toml: cannot be read as TOML"),
        ("k = 'ten'", "Invalid value for '--k'"),
        ("k = 'ten'", "(from negaudit.toml)"),
    ],
)
def test_a_wrong_file_fails_in_one_line_that_lists_what_is_valid(negaudit, tiny_folder, text, message):
    Path("negaudit.toml").write_text(text)
    ran = negaudit("mine", "bm25", tiny_folder, "--out", "x.parquet")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err
    assert not Path("x.parquet").exists()


def test_a_bad_variable_is_named_and_an_unknown_one_is_not_passed_over(negaudit, tiny_folder, monkeypatch):
    monkeypatch.setenv("NEGAUDIT_K", "0")
    assert "(from NEGAUDIT_K)" in negaudit("mine", "bm25", tiny_folder, "--out", "x").err
    monkeypatch.setenv("NEGAUDIT_SEDE", "3")
    assert "warning: environment variable NEGAUDIT_SEDE is none of negaudit's" in negaudit("--version").err
