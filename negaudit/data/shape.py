"""The shape of a JSON document: what must be there and of which kind, said in one line where it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

# A kind by the words that name it in errors (None: null), or a set of texts; one of several in a tuple; a list of one kind; an object of
# named fields (a name that ends in ? may be absent), or of any names ("*"). What is not named may be anything.
Shape: TypeAlias = "str | frozenset[str] | tuple[Shape, ...] | Sequence[Shape] | Mapping[str, Shape] | None"
NUMBER, COUNT, TEXT, TRUTH, PAIR = "a number", "a whole number", "a text", "true or false", "a pair of numbers"


def misfit(body: Any, shape: Shape, where: str = "") -> str | None:
    """Return what in `body` is not of `shape`, as "PLACE should be KIND"; None where it fits."""
    if isinstance(shape, tuple):
        found = [misfit(body, one, where) for one in shape]
        return None if None in found else found[0]
    if isinstance(shape, frozenset):
        return None if isinstance(body, str) and body in shape else f"{where} should be one of {', '.join(sorted(shape))}"
    if shape is None or isinstance(shape, str):
        return None if _is(body, shape) else f"{where or 'the document'} should be {shape or 'null'}"
    if isinstance(shape, Mapping):
        return _object_misfit(body, shape, where)
    if not isinstance(body, list):
        return f"{where or 'the document'} should be a list"
    return next((wrong for at, item in enumerate(body) if (wrong := misfit(item, shape[0], f"{where}[{at}]"))), None)


def _object_misfit(body: Any, shape: Mapping[str, Shape], where: str) -> str | None:
    if not isinstance(body, dict):
        return f"{where or 'the document'} should be an object"
    for field, kind in shape.items():
        name = field.removesuffix("?")
        if field != "*" and name not in body and not field.endswith("?"):
            return f"{_below(where, name)} is missing"
        for key in body if field == "*" else [name] * (name in body):
            if wrong := misfit(body[key], kind, _below(where, key)):
                return wrong
    return None


def _below(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _is(body: Any, kind: str | None) -> bool:
    if kind == PAIR:
        return isinstance(body, list) and len(body) == 2 and all(_is(end, NUMBER) for end in body)
    if kind is None or isinstance(body, bool):
        return body is None if kind is None else kind == TRUTH
    types: dict[str, Any] = {NUMBER: (int, float), COUNT: int, TEXT: str, TRUTH: bool}
    return isinstance(body, types[kind])
