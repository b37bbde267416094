"""What was encoded twice is repaired to what it was; what was not is left alone."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from negaudit.validating.double_encoding import repaired

LETTERS = st.text(st.sampled_from("éèüöäñçàâêîôûëïœÉÖ’“”–—…€™中文日本語ру"), min_size=2, max_size=12)


@given(LETTERS)
def test_any_text_read_as_latin_1_comes_back(text):
    assume(repaired(text) == text)  # "â––" may be meant
    broken = text.encode().decode("latin-1")
    assert repaired(f"before {broken} after") == f"before {text} after"


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("Itâ\x80\x99s", "It’s"),
        ("Itâ€™s", "It’s"),
        ("cafÃ©", "café"),
        ("20Â°C", "20°C"),
        ("Ã¢â‚¬â„¢", "’"),  # three times
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
    ],
)
def test_what_is_seen_in_the_wild(broken, whole):
    assert repaired(broken) == whole


@pytest.mark.parametrize("text", ["café", "Maß»", "«CAFÉ» à Â", "It’s", "naïve façade", "Ångström ±5", "中文", "Straße“ – …", "plain"])
def test_what_is_meant_is_left_alone(text):
    assert repaired(text) == text
