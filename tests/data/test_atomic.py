"""A file appears whole or not at all, and a failure says in one line what could not be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from negaudit.data.atomic import atomic_path, write_json, write_text
from negaudit.errors import NegauditError


def everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_missing_folders_are_made_and_an_old_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b.txt"
    write_text(target, "old, and longer\r\n")
    write_text(target, "new é\n")
    assert target.read_bytes() == "new é\n".encode()
    assert everything(tmp_path) == {"a", "a/b.txt"}


@pytest.mark.parametrize("failure", [ValueError("ours"), NegauditError("ours"), KeyboardInterrupt()])
def test_an_exception_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path, failure: BaseException) -> None:
    target = tmp_path / "b.txt"
    target.write_text("old")

    def write() -> None:
        with atomic_path(target) as temporary:
            temporary.write_text("half")
            raise failure

    with pytest.raises(type(failure)):
        write()
    assert target.read_text() == "old"
    assert everything(tmp_path) == {"b.txt"}


def test_nothing_is_there_before_the_end(tmp_path: Path) -> None:
    target = tmp_path / "b.txt"
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"


def test_a_place_below_a_regular_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NegauditError, match=r"cannot write .*: (Not a directory|File exists); choose another place"):
        write_text(tmp_path / "file" / "sub" / "b.txt", "x")
    assert everything(tmp_path) == {"file"}


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not hold root back")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(NegauditError, match="Permission denied"):
            write_text(tmp_path / "b.txt", "x")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_or_a_device_in_the_place_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(NegauditError, match="it is a folder; give a file name"):
        write_text(tmp_path / "folder", "x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NegauditError, match="it is not a regular file"):
        write_text(tmp_path / "pipe", "x")
    assert (tmp_path / "pipe").is_fifo()
    assert everything(tmp_path) == {"folder", "pipe"}


def test_a_failure_to_read_another_file_is_not_blamed_on_the_target(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"), atomic_path(tmp_path / "b.txt"):
        (tmp_path / "nowhere").read_text()
    assert everything(tmp_path) == set()


def test_json_is_canonical_and_refuses_what_json_has_no_form_for(tmp_path: Path) -> None:
    target = tmp_path / "b.json"
    write_json(target, {"b": 1, "a": "é"})
    assert target.read_text(encoding="utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(target, {"a": float("nan")})
    assert target.read_text(encoding="utf-8").startswith('{\n  "a"')
