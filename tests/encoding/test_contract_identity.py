"""A contract's fingerprint names the numbers an encoder gives: the same everywhere, different where any of its terms differs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from negaudit.encoding.contract import EncoderContract

CONTRACT = EncoderContract(
    model="m", weights="w", query_prefix="query: ", passage_prefix="passage: ", pooling="mean", max_length=128, dimension=384
)


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    code = f"from negaudit.encoding.contract import EncoderContract\nprint({CONTRACT!r}.fingerprint())"
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert printed.stdout.strip() == CONTRACT.fingerprint()


@pytest.mark.parametrize(
    "change",
    [
        {"weights": "v"},
        {"query_prefix": ""},
        {"passage_prefix": "query: "},
        {"pooling": "cls"},
        {"max_length": 256},
        {"max_length": None},
        {"similarity": "dot"},
        {"dims": 64},
        {"dtype": "bf16"},
        {"dimension": 64},
    ],
)
def test_every_term_changes_the_fingerprint(change: dict[str, object]) -> None:
    assert replace(CONTRACT, **change).fingerprint() != CONTRACT.fingerprint()  # type: ignore[arg-type]


def test_the_models_name_does_not_change_the_fingerprint() -> None:
    assert replace(CONTRACT, model="a copy in another folder").fingerprint() == CONTRACT.fingerprint()


def test_prefixes_are_not_mixed_up() -> None:
    swapped = replace(CONTRACT, query_prefix=CONTRACT.passage_prefix, passage_prefix=CONTRACT.query_prefix)
    assert swapped.fingerprint() != CONTRACT.fingerprint()
    assert (CONTRACT.prefix("query"), CONTRACT.prefix("passage")) == ("query: ", "passage: ")
