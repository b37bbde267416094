"""The program's promises: quick help, one line per error, exit codes that never mistake a crash for a flag."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer

import negaudit as package
from negaudit.cli import app as program
from negaudit.cli.app import command
from negaudit.cli.configuration import leaves
from negaudit.errors import NegauditError

HEAVY = ("torch", "sentence_transformers", "polars", "pyarrow", "numpy", "bm25s", "sklearn", "altair", "numba")


@pytest.fixture
def failing(monkeypatch):
    """Call it with what a command is to raise: `negaudit fail` then raises it."""

    def install(error: BaseException) -> None:
        broken = typer.Typer()

        @broken.callback()
        def nothing() -> None: ...

        @broken.command()
        def fail() -> None:
            raise error

        monkeypatch.setattr(program, "app", broken)

    return install


@pytest.mark.parametrize("statement", ["import negaudit", "from negaudit.cli.app import run; assert run(['--help']) == 0"])
def test_import_and_help_load_nothing_heavy(statement):
    loaded = f"import sys; {statement}; print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_without_arguments_it_shows_its_commands(negaudit):
    ran = negaudit()
    assert (ran.code, ran.err) == (0, "")
    assert "mine" in ran.out
    assert ran.out == negaudit("--help").out


def test_version(negaudit):
    assert negaudit("--version").out == f"negaudit {package.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "No such command 'nothing'"),
        (["mine"], "Missing command; see 'negaudit mine --help'"),
        (["mine", "bm25", "data"], "Missing option '--out'"),
        (["mine", "bm25", "data", "--out", "x", "--k", "many"], "Invalid value for '--k'"),
        (["mine", "bm25", "data", "--out", "x", "--kk", "3"], "No such option: --kk"),
        (["mine", "bm25", "data", "--out", "x", "--overwrite", "maybe"], "'--overwrite'"),
        (["mine", "bm25", "--out", "x"], "no collection: give DATASET"),
        (["mine", "bm25", "data", "--out", "x"], "data"),
        (["controls", "--source", "a=gone.parquet", "--out", "x"], "gone.parquet: no such file"),
        (["controls", "--source", "=", "--out", "x"], "expected NAME=FILE"),
    ],
)
def test_bad_usage_and_bad_input_are_one_line_and_exit_2(negaudit, tmp_path, arguments, message):
    ran = negaudit(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("error: ")
    assert message in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_known_error_is_exit_2(negaudit, failing):
    failing(NegauditError("this is wrong; do that"))
    ran = negaudit("fail")
    assert (ran.code, ran.err) == (2, "error: this is wrong; do that\n")


def test_an_unknown_error_is_exit_3_in_one_line_and_says_how_to_see_more(negaudit, failing, monkeypatch):
    failing(ValueError("two\nlines"))
    ran = negaudit("fail")
    assert (ran.code, ran.err) == (3, "internal error: ValueError: two lines (NEGAUDIT_DEBUG=1 shows the traceback)\n")
    monkeypatch.setenv("NEGAUDIT_DEBUG", "1")
    assert "Traceback (most recent call last)" in negaudit("fail").err


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (typer.Exit(1), 1), (typer.Exit(0), 0)])
def test_an_interruption_and_a_command_s_own_code_pass_through(negaudit, failing, error, code):
    failing(error)
    assert negaudit("fail").code == code


def test_a_reader_that_leaves_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "negaudit.cli.app", "--help"], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_every_command_and_every_option_has_help():
    for names, leaf in leaves(command()):
        assert leaf.help, names
        for parameter in leaf.params:
            assert parameter.help, (names, parameter.name)


def test_every_public_name_is_there():
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing
