"""Profiles: packaged ones whole and sound, a user's own on top, and one line for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.auditing.check_profile import COMPARISON, load_profile
from negaudit.auditing.checks.registry import all_checks
from negaudit.errors import NegauditError


@pytest.mark.parametrize("name", ["default", "strict"])
def test_a_packaged_profile_has_a_table_for_every_check_with_levels_that_rise(name: str) -> None:
    profile = load_profile(name)
    assert set(profile.tables) == {*all_checks(), COMPARISON}
    for table in profile.tables.values():
        levels = [table[level] for level in ("info", "warn", "error") if level in table]
        assert levels == sorted(levels)


def test_strict_is_nowhere_milder_than_default() -> None:
    default, strict = load_profile(), load_profile("strict")
    for name, table in default.tables.items():
        assert all(strict.of(name)[level] <= table[level] for level in ("warn", "error") if level in table)


def test_a_users_profile_changes_what_it_states_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[short]\nerror = 0.9\n[hubs]\nerror = 0.5\n")
    mine, default = load_profile(path), load_profile()
    assert (mine.name, mine.of("short")["error"], mine.of("hubs")["error"]) == ("mine", 0.9, 0.5)
    assert mine.of("short")["warn"] == default.of("short")["warn"]
    assert mine.of("unrelated") == default.of("unrelated")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[shrt]\nwarn = 1", "unknown check 'shrt'; did you mean 'short'"),
        ("[short]\nwarm = 1", "unknown key 'warm'; did you mean 'warn'"),
        ("[short]\nwarn = 'much'", "warn must be a number of at least 0"),
        ("[short]\nwarn = nan", "warn must be a number of at least 0"),
        ("warn = 1", "outside a table"),
        ("[short", "not a TOML file"),
    ],
)
def test_what_is_wrong_with_a_profile_is_said_in_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(NegauditError, match=message) as raised:
        load_profile(path)
    assert "\n" not in str(raised.value)


def test_a_profile_that_is_not_there_says_what_there_is() -> None:
    with pytest.raises(NegauditError, match="give default, strict or a TOML file"):
        load_profile("lenient")
