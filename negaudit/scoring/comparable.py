"""Whether scored runs may be held against each other: the same tokens, idf, tau and precision, and the same encoder where it matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from negaudit.errors import NegauditError

_NAMES = {"fingerprint": "idf fingerprint", "dtype": "encoder precision", "model": "encoder"}
_LEXICAL = ("tokenizer", "idf", "fingerprint")
_PRECISION = ("dtype",)


def check_comparable(summaries: Mapping[str, Mapping[str, Any]], *, same_encoder: bool = True) -> None:
    """Raise NegauditError that names the first difference unless the runs' numbers may stand side by side.

    `summaries` are documents of `score` by the name that errors use for them. Tokenizer, idf corpus and fingerprint must agree, tau where
    encoders are there, and the encoder's whole contract. With `same_encoder` False (one run per backbone) the encoders may differ in all
    but precision.
    """
    runs = iter(summaries.items())
    name, first = next(runs, ("", {}))
    for other, summary in runs:
        for what, here, there in _differences(first, summary, same_encoder=same_encoder):
            raise NegauditError(
                f"runs '{name}' and '{other}' cannot be compared: {what} is {here} in one and {there} in the other; "
                "score them again with the same settings"
            )


def _differences(one: Mapping[str, Any], other: Mapping[str, Any], *, same_encoder: bool) -> Iterator[tuple[str, Any, Any]]:
    for key in _LEXICAL:
        if one["lexical"][key] != other["lexical"][key]:
            yield _NAMES.get(key, key), one["lexical"][key], other["lexical"][key]
    encoders = one["encoder"], other["encoder"]
    if encoders[0] is None and encoders[1] is None:
        return
    if encoders[0] is None or encoders[1] is None:
        one_name, other_name = ("none" if encoder is None else encoder["model"] for encoder in encoders)
        yield "encoder", one_name, other_name
        return
    # Precision first: it is the difference that is easiest to overlook.
    for key in [*_PRECISION, *(sorted(encoders[0].keys() | encoders[1].keys()) if same_encoder else ())]:
        if encoders[0].get(key) != encoders[1].get(key):
            yield _NAMES.get(key, f"encoder {key}"), encoders[0].get(key), encoders[1].get(key)
    if one["config"]["tau"] != other["config"]["tau"]:
        yield "tau", one["config"]["tau"], other["config"]["tau"]
