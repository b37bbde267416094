"""Expected errors: one line, whatever they quote."""

from __future__ import annotations

import pytest

from negaudit.errors import MissingExtraError, NegauditError, unknown_name


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\v", "\x85", "\u2028"])
def test_a_line_break_in_a_quoted_name_leaves_one_line(line_break: str) -> None:
    for error in (NegauditError(f"found a{line_break}b"), unknown_name("column", f"a{line_break}b", ["ab"])):
        assert len(str(error).splitlines()) == 1
        assert "a b" in str(error)


def test_a_missing_extra_says_what_to_install() -> None:
    assert str(MissingExtraError("encoding", "encoder")) == (
        "encoding needs the 'encoder' extra; install it with: pip install 'negaudit[encoder]'"
    )
