"""The values of a row, taken as what they must be: texts, lists of texts, ids and scores; anything else says what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negaudit.data.formats.parsed import UnusableError

Row = Mapping[str, Any]


def text(value: Any, where: str) -> str:
    """Return a text; of an ["instruction", "text"] pair the text. Raises UnusableError for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and len(value) == 2 and all(isinstance(part, str) for part in value):
        return str(value[1])
    raise UnusableError("not_a_string", f"{where} must be a string, found {kind(value)}")


def texts(row: Row, key: str) -> list[str]:
    """Return the list of texts at `key`, [] where there is none; raises UnusableError for a string in a list's place."""
    return [text(value, f"{key}[{place}]") for place, value in enumerate(values(row, key))]


def values(row: Row, key: str) -> Sequence[Any]:
    """Return the list at `key`, [] where it is missing or null; raises UnusableError for what is no list."""
    found = row.get(key)
    if found is None:
        return []
    if isinstance(found, str):
        # Taken for a list it would become passages of one character each.
        raise UnusableError("string_for_list", f"{key} is a string where a list belongs; write [{key}]")
    if not isinstance(found, Sequence):
        raise UnusableError("not_a_list", f"{key} must be a list, found {kind(found)}")
    return found


def identifier(value: Any, where: str) -> str | None:
    """Return an id as a string, None for null; an integer stands for its digits, whether written 7 or 7.0."""
    if value is None or (isinstance(value, str) and value):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise UnusableError("bad_id", f"{where} must be a string or an integer, found {kind(value)}")


def required_id(value: Any, where: str) -> str:
    """Return an id; raises UnusableError where it is null or missing too."""
    found = identifier(value, where)
    if found is None:
        raise UnusableError("bad_id", f"{where} is missing")
    return found


def scores(row: Row, key: str, count: int, *, of: str) -> list[float | None] | None:
    """Return the scores at `key`, None where there are none; raises UnusableError unless there is one for each of `count` `of`."""
    found = values(row, key)
    if not found:
        return None
    if len(found) != count:
        raise UnusableError("lengths_differ", f"{key} has {len(found)} scores for {count} {of}")
    return [score(value, f"{key}[{place}]") for place, value in enumerate(found)]


def score(value: Any, where: str) -> float | None:
    """Return a score, None for null; raises UnusableError for what is no number."""
    if value is None:
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    except OverflowError:
        pass
    raise UnusableError("bad_score", f"{where} must be a number, found {kind(value)}")


def need(row: Row, *keys: str) -> str:
    """Return the first of `keys` that the row has a value at; raises UnusableError where it has none of them."""
    for key in keys:
        if row.get(key) is not None:
            return key
    raise UnusableError("missing_key", f"expected {' or '.join(keys)}, found {', '.join(map(str, row)) or 'no keys'}"[:300])


def others(row: Row, known: frozenset[str]) -> list[str]:
    """Return the names of the row's fields that are not `known` and not null."""
    return [name for name, value in row.items() if name not in known and value is not None]


def kind(value: object) -> str:
    """Return what a value is, in the words of JSON."""
    if value == "":
        return "an empty string"
    for name, kinds in (
        ("true or false", bool),
        ("a number", (int, float)),
        ("a string", str),
        ("an object", Mapping),
        ("a list", (list, tuple)),
    ):
        if isinstance(value, kinds):
            return name
    return "null" if value is None else f"a {type(value).__name__}"
