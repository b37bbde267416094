"""Recipes are TOML files that a team can write; whatever is wrong in one is said in one line."""

from __future__ import annotations

import pytest

from negaudit.controls.builder import build_controls
from negaudit.controls.kinds import known_kind, register
from negaudit.controls.recipe import Recipe, choose_recipes, inline_recipe, load_recipe, shipped_recipes
from negaudit.errors import NegauditError


def test_shipped_recipes_are_what_their_names_say():
    recipes = {recipe.name: recipe for recipe in shipped_recipes()}
    assert {name: (r.kind, r.fraction, r.mode) for name, r in recipes.items()} == {
        "dilute_100": ("random", 1.0, "independent"),
        "dilute_25": ("random", 0.25, "independent"),
        "dilute_50": ("random", 0.5, "independent"),
        "dilute_75": ("random", 0.75, "independent"),
        "neighbor_positive": ("neighbor_positive", 1.0, "independent"),
        "own_positive": ("own_positive", 0.5, "independent"),
        "random": ("random", 1.0, "independent"),
        "shuffled": ("shuffled", 1.0, "independent"),
    }
    assert all(recipe.description for recipe in recipes.values())


def test_a_team_writes_its_own_recipe_without_code(tmp_path, many):
    file = tmp_path / "half_of_mine.toml"
    file.write_text('kind = "random"\nfraction = 0.5\nmode = "count"\nbase = "mine"\n')
    built = build_controls({"mine": many}, recipes=[load_recipe(file)])["half_of_mine"]
    assert built.metadata.details["control"]["share"] == 0.5
    assert built.role == "control"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "random"\nshare = 0.5', "unknown key share; a recipe has: kind, fraction, mode, base, description"),
        ('kind = "randon"', "did you mean 'random'"),
        ("fraction = 0.5", "key kind is missing"),
        ('kind = "random"\nfraction = "half"', "fraction must be a number, got 'half'"),
        ('kind = "random"\nfraction = true', "fraction must be a number, got True"),
        ('kind = "random"\nfraction = 0', "above 0 and at most 1"),
        ('kind = "random"\nfraction = nan', "above 0 and at most 1"),
        ('kind = "random"\nmode = "exact"', "mode must be one of independent, count"),
        ('kind = "shuffled"\nfraction = 0.5', "takes no fraction"),
        ("kind = ", "not a TOML file"),
    ],
)
def test_a_wrong_recipe_is_refused_in_one_line(tmp_path, text, message):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(NegauditError) as raised:
        load_recipe(file)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "mine" in str(raised.value) or "kind" in str(raised.value)


def test_a_missing_recipe_is_named(tmp_path):
    with pytest.raises(NegauditError, match=r"gone\.toml: cannot read the recipe"):
        load_recipe(tmp_path / "gone.toml")


def test_recipes_are_chosen_by_name_and_file(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('kind = "shuffled"')
    assert [recipe.name for recipe in choose_recipes(["shuffled", "random"], [file])] == ["shuffled", "random", "own"]
    with pytest.raises(NegauditError, match=r"unknown control 'randm'; did you mean 'random'"):
        choose_recipes(["randm"])


def test_a_recipe_on_one_line_says_what_a_file_says(tmp_path):
    file = tmp_path / "own_10.toml"
    file.write_text('kind = "own_positive"\nfraction = 0.1\nmode = "count"\nbase = "dense"\n')
    line = "own_10=own_positive,fraction=0.1,mode=count,base=dense"
    assert inline_recipe(line) == load_recipe(file)
    assert choose_recipes(None, lines=[line]) == [load_recipe(file)]
    assert [recipe.name for recipe in choose_recipes(["random"], [file], ["a=shuffled"])] == ["random", "own_10", "a"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("own_positive", "is no recipe; expected NAME=KIND"),
        ("a=", "is no recipe"),
        ("=random", "is no recipe"),
        ("a=random,fraction", "is no recipe"),
        ("a=random,fraction=half", "fraction must be a number, got 'half'"),
        ("a=random,fraction=2", "above 0 and at most 1"),
        ("a=random,fraction=nan", "above 0 and at most 1"),
        ("a=random,share=0.5", "unknown key share"),
        ("a=random,base=x,base=y", "key base is there twice"),
        ("a=randon", "did you mean 'random'"),
    ],
)
def test_a_wrong_line_is_refused_in_one_line(line, message):
    with pytest.raises(NegauditError) as raised:
        inline_recipe(line)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_kinds_of_one_name_are_an_error():
    taken = known_kind("random")
    with pytest.raises(ValueError, match="registered already"):
        register("random")(taken)


@pytest.mark.parametrize(
    ("recipes", "base", "message"),
    [
        ([Recipe("a", "random"), Recipe("a", "shuffled")], "bm25", "two control recipes are named 'a'"),
        ([Recipe("bm25", "random")], "bm25", "control 'bm25' has the name of a source"),
        ([Recipe("a", "random")], "bm52", "unknown base source 'bm52'; did you mean 'bm25'"),
    ],
)
def test_names_that_clash_or_are_not_there_are_refused(many, recipes, base, message):
    with pytest.raises(NegauditError, match=message):
        build_controls({"bm25": many}, recipes=recipes, base=base)
