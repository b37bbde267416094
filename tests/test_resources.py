"""What ships with negaudit is found, and the wheel's map of it agrees with where it is looked for."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from negaudit import resources
from negaudit.errors import NegauditError
from negaudit.resources import resource

REPOSITORY = Path(__file__).resolve().parents[1]


def test_a_checkout_serves_its_own_folders():
    assert resource("recipes") == REPOSITORY / "controls"
    assert resource("scifact") == REPOSITORY / "examples" / "scifact"


def test_a_wheel_s_folder_inside_the_package_comes_first(tmp_path, monkeypatch):
    (tmp_path / "negaudit/controls/recipes").mkdir(parents=True)
    (tmp_path / "controls").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "negaudit")
    assert resource("recipes") == tmp_path / "negaudit/controls/recipes"


def test_what_is_not_there_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "negaudit")
    with pytest.raises(NegauditError, match="lacks its scifact folder"):
        resource("scifact")


def test_the_build_puts_every_folder_that_has_files_where_it_is_looked_for():
    build = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    places = {checkout: f"negaudit/{packaged}" for packaged, checkout in resources._PLACES.values()}
    filled = {folder for folder in places if any((REPOSITORY / folder).glob("*"))}
    assert build["force-include"] == {folder: places[folder] for folder in filled}


def test_the_packaged_collection_is_under_four_megabytes():
    size = sum(path.stat().st_size for path in resource("scifact").rglob("*.parquet"))
    assert 1_000_000 < size < 4_000_000


def test_the_packed_texts_are_the_published_ones(shared_data):
    from negaudit.data.dataset import open_collection

    for split in ("train", "test"):
        packed, published = open_collection(resource("scifact"), split=split), open_collection(shared_data / "scifact", split=split)
        for table in ("passages", "queries", "judgements"):
            assert getattr(packed, table).equals(getattr(published, table))
