"""Runs compare only where their numbers mean the same, and the refusal names what differs."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from negaudit.errors import NegauditError
from negaudit.scoring.comparable import check_comparable

RUN: dict[str, Any] = {
    "config": {"tau": 0.05, "seed": 42},
    "lexical": {"tokenizer": "alnum", "idf": "pooled", "documents": 9, "fingerprint": "aa"},
    "encoder": {"model": "small", "weights": "01", "dtype": "fp32", "max_length": 128, "query_prefix": ""},
}


def changed(**changes: Any) -> dict[str, Any]:
    """Return RUN with `part__key` set."""
    run = copy.deepcopy(RUN)
    for name, value in changes.items():
        part, _, key = name.partition("__")
        run[part][key] = value
    return run


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"encoder__dtype": "bf16"}, "encoder precision is fp32 in one and bf16 in the other"),
        ({"encoder__max_length": 256}, "encoder max_length is 128 in one and 256"),
        ({"encoder__weights": "02"}, "encoder weights is 01"),
        ({"lexical__tokenizer": "char3", "lexical__fingerprint": "bb"}, "tokenizer is alnum in one and char3"),
        ({"lexical__fingerprint": "bb"}, "idf fingerprint is aa in one and bb"),
        ({"config__tau": 0.1}, "tau is 0.05 in one and 0.1"),
    ],
)
def test_a_difference_in_what_numbers_mean_is_named_in_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(NegauditError, match=message) as caught:
        check_comparable({"one": RUN, "same": changed(), "other": changed(**change)})
    assert "'one' and 'other'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_moves_no_meaning_may_differ() -> None:
    check_comparable({"one": RUN, "other": changed(config__seed=7)})
    check_comparable({"one": RUN})
    check_comparable({})
    lexical = changed()
    lexical["encoder"] = None
    check_comparable({"one": lexical, "other": {**lexical, "config": {"tau": 0.1}}})
    with pytest.raises(NegauditError, match="encoder is small in one and none in the other"):
        check_comparable({"one": RUN, "other": lexical})


def test_backbones_may_differ_but_never_their_precision() -> None:
    backbone = changed(encoder__model="large", encoder__weights="02", encoder__query_prefix="query: ")
    check_comparable({"small": RUN, "large": backbone}, same_encoder=False)
    with pytest.raises(NegauditError, match="encoder is small in one and large"):
        check_comparable({"small": RUN, "large": backbone})
    backbone["encoder"]["dtype"] = "fp16"
    with pytest.raises(NegauditError, match="encoder precision is fp32 in one and fp16"):
        check_comparable({"small": RUN, "large": backbone}, same_encoder=False)
