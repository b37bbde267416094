"""The criterion for every weighting under several encoders, and the one ranking of all sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negaudit.auditing.criterion import source_scores, stringent
from negaudit.auditing.encoders import criterion, load_criterion
from negaudit.errors import NegauditError
from negaudit.scoring.weightings import WEIGHTINGS

# The paper's table 5: six of its fourteen sources by the composite, under three encoders.
TABLE5 = {
    "DistilBERT": {"Easy shuffled": 0.602, "Random": 0.602, "Neighbor": 0.395, "LLM": 0.261, "BM25": 0.128, "Own-positive": 0.064},
    "E5-base": {"Easy shuffled": 0.444, "Random": 0.444, "Neighbor": 0.360, "LLM": 0.211, "BM25": 0.097, "Own-positive": 0.048},
    "Contriever": {"Easy shuffled": 0.443, "Random": 0.444, "Neighbor": 0.500, "LLM": 0.181, "BM25": 0.067, "Own-positive": 0.034},
}
GENUINE = ("LLM", "BM25")


def run(scores: dict[str, float], encoder: str | None = "an encoder") -> dict[str, Any]:
    """A run's summary in which every weighting gives the same scores."""
    eci = {name: {w: {"logdet": score, "trace": score} for w in WEIGHTINGS} for name, score in scores.items()}
    sources = {
        name: {"role": "genuine" if name in GENUINE else "control", "mean_psi": score, "eci": eci[name]} for name, score in scores.items()
    }
    return {"encoder": encoder, "sources": sources}


PAPER = {encoder: run(scores) for encoder, scores in TABLE5.items()}


def test_the_papers_table_gives_the_papers_ranks_and_the_controls_that_outrank_the_best_genuine_source() -> None:
    found = criterion(PAPER)
    composite = found["criterion"]["composite"]
    assert {encoder: said["holds"] for encoder, said in composite.items()} == dict.fromkeys(TABLE5, False)
    assert all(said["violators"] == said["above_best_genuine"] == ["Easy shuffled", "Neighbor", "Random"] for said in composite.values())
    ranks = {row["source"]: row["ranks"] for row in found["ranking"]}
    assert ranks["Neighbor"] == {"DistilBERT": 3, "E5-base": 3, "Contriever": 1}
    assert ranks["Random"] == {"DistilBERT": 1, "E5-base": 1, "Contriever": 2}  # ties share the better rank
    assert [row["source"] for row in found["ranking"]][-1] == "Own-positive"
    assert {row["source"] for row in found["ranking"] if row["role"] == "genuine"} == set(GENUINE)


def test_every_weighting_is_held_against_it() -> None:
    assert set(criterion(PAPER)["criterion"]) == {"mean_psi", "trace", *WEIGHTINGS}


def test_a_run_without_an_encoder_has_psi_alone() -> None:
    found = criterion({"lexical": run(TABLE5["E5-base"], None), "e5": PAPER["E5-base"]})
    assert set(found["criterion"]["mean_psi"]) == {"lexical", "e5"}
    assert set(found["criterion"]["composite"]) == {"e5"}
    assert set(source_scores(run(TABLE5["E5-base"], None))) == {"mean_psi"}
    with pytest.raises(NegauditError, match="no run was scored with an encoder, which composite needs"):
        criterion({"lexical": run(TABLE5["E5-base"], None)})
    assert criterion({"lexical": run(TABLE5["E5-base"], None)}, weighting="mean_psi")["ranking"][0]["source"] == "Easy shuffled"


def test_a_control_between_two_genuine_sources_breaks_it_without_outranking_the_best() -> None:
    found = stringent({"good": 0.5, "fair": 0.3, "bad": 0.4}, frozenset({"good", "fair"}), frozenset({"bad"}))
    assert found is not None
    assert (found.holds, found.violators, found.above_best) == (False, ("bad",), ())


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    body = criterion(PAPER, out=tmp_path / "criterion.json")
    assert load_criterion(tmp_path / "criterion.json") == body


@pytest.mark.parametrize(
    ("runs", "options", "message"),
    [
        ({}, {}, "there is no run"),
        (PAPER, {"weighting": "compsite"}, "did you mean 'composite'"),
        (PAPER, {"controls": ["LLMM"]}, "did you mean 'LLM'"),
        ({"a": run({"LLM": 1.0, "BM25": 0.5})}, {}, "no source is a control"),
        ({"a": run({"Random": 1.0})}, {}, "no source is a genuine source"),
        ({"a": PAPER["E5-base"], "b": run({"LLM": 1.0, "Random": 0.5})}, {}, "'a' and 'b' hold different sources"),
    ],
)
def test_what_cannot_be_held_against_it_is_refused_in_one_line(runs: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(NegauditError, match=message) as raised:
        criterion(runs, **options)
    assert "\n" not in str(raised.value)
