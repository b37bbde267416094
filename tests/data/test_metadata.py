"""Accounts add up; metadata survives its JSON and refuses what is not its own."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from negaudit.data.metadata import Account, SourceMetadata
from negaudit.errors import NegauditError

WHOLE = SourceMetadata(
    "bm25",
    "genuine",
    origins={"bm25": {"method": "lucene", "parameters": {"k1": 1.5}}},
    inputs={"corpus": "00ff"},
    counts={"records": Account(3, 1, {"b": 1, "a": 1}).as_dict()},
    details={"note": "é"},
)


def test_an_account_that_does_not_add_up_cannot_be() -> None:
    with pytest.raises(ValueError, match="read 3, used 1"):
        Account(3, 1, {"empty_text": 1})


def test_metadata_survives_its_json() -> None:
    assert SourceMetadata.from_json(WHOLE.to_json(), "here") == WHOLE


def test_equal_metadata_gives_equal_json_whatever_the_order_and_kind_of_its_mappings() -> None:
    other = SourceMetadata("bm25", "genuine", WHOLE.origins, WHOLE.inputs, MappingProxyType(dict(WHOLE.counts)), {"note": "é"})
    assert other.to_json() == WHOLE.to_json()
    assert SourceMetadata("x", inputs={"a": "1", "b": "2"}).to_json() == SourceMetadata("x", inputs={"b": "2", "a": "1"}).to_json()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "here: the negaudit metadata is not JSON"),
        ("[]", "here: metadata schema 'list' is not 'negaudit.source/1'"),
        ('{"schema": "negaudit.source/9"}', "here: metadata schema 'negaudit.source/9'"),
        ('{"schema": "negaudit.source/1", "role": "genuine"}', "here: the negaudit metadata lacks a proper name"),
        (
            '{"schema": "negaudit.source/1", "name": "x", "role": "good"}',
            "here: unknown role 'good': expected one of genuine, candidate, control",
        ),
        ('{"schema": "negaudit.source/1", "name": "x", "role": "genuine", "origins": [1]}', "lacks a proper origins"),
    ],
)
def test_metadata_that_is_not_ours_is_refused(text: str, problem: str) -> None:
    with pytest.raises(NegauditError) as caught:
        SourceMetadata.from_json(text, "here")
    assert problem in str(caught.value)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "a\nb", "a\0b"])
def test_a_name_that_cannot_name_a_folder_is_refused(name: str) -> None:
    with pytest.raises(NegauditError, match="cannot name a folder"):
        SourceMetadata(name)
