"""A recipe may start from any source and from any other recipe, and the file still says what was done to each negative."""

from __future__ import annotations

import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.recipe import Recipe
from negaudit.errors import NegauditError

OWN = Recipe("own", "own_positive", 0.5, mode="count")


def test_a_mixture_of_a_mixture_remembers_both(many):
    mixed = Recipe("mixed", "random", 0.4, mode="count", base="own")
    built = build_controls({"bm25": many}, recipes=[mixed, OWN])
    assert list(built) == ["mixed", "own"]
    details = built["mixed"].metadata.details["control"]
    origins = [n.origin for record in built["mixed"].records() for n in record.negatives]
    assert origins.count("mixed") / len(origins) == details["share"] == 0.4
    replaced = [n.origin for record in built["mixed"].records() for n in record.negatives if n.replaced]
    assert set(replaced) == {"mixed", "own"}
    assert len(replaced) / len(origins) == details["share_with_bases"]
    made = built["mixed"].metadata.origins
    assert {name: facts.get("parameters", {}).get("kind") for name, facts in made.items()} == {
        "bm25": None,
        "own": "own_positive",
        "mixed": "random",
    }


def test_a_shipped_recipe_may_be_the_start_without_being_asked_for(many):
    built = build_controls({"bm25": many}, recipes=[Recipe("mixed", "own_positive", 0.1, base="dilute_50")])
    assert list(built) == ["mixed"]
    assert set(built["mixed"].metadata.origins) == {"bm25", "dilute_50", "mixed"}
    assert built["mixed"].metadata.inputs["source dilute_50"]


def test_a_source_comes_before_a_recipe_of_its_name(many):
    built = build_controls({"dilute_50": many.renamed("dilute_50")}, recipes=[Recipe("mixed", "own_positive", 0.1, base="dilute_50")])
    assert built["mixed"].metadata.inputs["source dilute_50"] == many.fingerprint()


@pytest.mark.parametrize(
    ("recipes", "message"),
    [
        ([Recipe("a", "random", base="b"), Recipe("b", "random", base="a")], "start from each other: a <- b <- a"),
        ([Recipe("a", "random", base="a")], "start from each other: a <- a"),
        ([Recipe("a", "random", base="ownn"), OWN], "unknown base source 'ownn'; did you mean 'own'"),
    ],
)
def test_recipes_without_a_beginning_are_refused(many, recipes, message):
    with pytest.raises(NegauditError, match=message):
        build_controls({"bm25": many}, recipes=recipes)
