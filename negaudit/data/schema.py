"""The Arrow schema of a negative-source file, and the check that a file follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa
from pyarrow import types

from negaudit.errors import NegauditError

NEGATIVE_FIELDS = (
    pa.field("id", pa.string()),
    pa.field("text", pa.string()),
    pa.field("rank", pa.int32()),
    pa.field("score", pa.float32()),
    pa.field("origin", pa.string()),
)
REPLACED = pa.field("replaced", pa.bool_())
COLUMNS = ("query_id", "query", "positive_ids", "positives", "negatives")


def source_schema(*, replaced: bool = False) -> pa.Schema:
    """Return the schema of a source file; with `replaced`, of a control's file."""
    fields = (*NEGATIVE_FIELDS, REPLACED) if replaced else NEGATIVE_FIELDS
    return pa.schema(
        [
            ("query_id", pa.string()),
            ("query", pa.string()),
            ("positive_ids", pa.list_(pa.string())),
            ("positives", pa.list_(pa.string())),
            ("negatives", pa.list_(pa.struct(fields))),
        ]
    )


def has_replaced(schema: pa.Schema) -> bool:
    """Return whether the negatives of this (checked) schema say for each one if it was replaced, as controls do."""
    return bool(schema.field("negatives").type.value_type.get_field_index("replaced") >= 0)


def check_source_schema(schema: pa.Schema, where: str) -> None:
    """Raise NegauditError unless `schema` has the columns of a source, of types that stand for them.

    Large, view and dictionary strings, large and fixed-size lists, integer ids, wider numbers and columns of nulls are fine:
    normal_form turns them into the types of source_schema().
    """
    _check_names(schema.names, COLUMNS, f"{where}: not a negative source", "column")
    for name in ("query_id", "query"):
        _check_kind(schema.field(name).type, name, where)
    for name in ("positive_ids", "positives"):
        _check_kind(_element(schema.field(name).type, name, "texts", where), name, where)
    negatives = _element(schema.field("negatives").type, "negatives", "structs", where)
    if not types.is_struct(negatives):
        raise NegauditError(f"{where}: column negatives must be a list of structs, found a list of {negatives}")
    fields = {field.name: field.type for field in negatives}
    _check_names([field.name for field in negatives], [field.name for field in NEGATIVE_FIELDS], f"{where}: column negatives", "field")
    for name in fields.keys() & {"id", "text", "rank", "score", "origin", "replaced"}:
        _check_kind(fields[name], f"negatives.{name}", where)


def is_list(kind: pa.DataType) -> bool:
    """Return whether columns of this type hold lists, of whatever layout normal_form can read."""
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def is_text(kind: pa.DataType) -> bool:
    """Return whether columns of this type hold text, of whatever layout."""
    if types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_id(kind: pa.DataType) -> bool:
    """Return whether columns of this type can hold ids: text, or integers that stand for their digits."""
    return is_text(kind) or bool(types.is_integer(kind))


def _is_number(kind: pa.DataType) -> bool:
    return bool(types.is_integer(kind) or types.is_floating(kind))


_KINDS: Mapping[str, tuple[Callable[[pa.DataType], bool], str]] = {
    "query_id": (is_id, "strings or integers"),
    "query": (is_text, "text"),
    "positive_ids": (is_id, "lists of strings or integers"),
    "positives": (is_text, "lists of text"),
    "negatives.id": (is_id, "strings or integers"),
    "negatives.text": (is_text, "text"),
    "negatives.rank": (_is_number, "integers"),
    "negatives.score": (_is_number, "numbers"),
    "negatives.origin": (is_text, "text"),
    "negatives.replaced": (types.is_boolean, "true or false"),
}


def _check_kind(kind: pa.DataType, name: str, where: str) -> None:
    accepts, expected = _KINDS[name]
    if not types.is_null(kind) and not accepts(kind):
        raise NegauditError(f"{where}: column {name} must hold {expected}, found {kind}")


def _check_names(found: Sequence[str], expected: Sequence[str], where: str, noun: str) -> None:
    missing = [name for name in expected if name not in found]
    if missing:
        plural = "s" if len(missing) > 1 else ""
        raise NegauditError(f"{where}: {noun}{plural} {', '.join(missing)} missing; found {', '.join(found) or f'no {noun}s'}")
    repeated = [name for name, count in Counter(found).items() if count > 1 and name in (*expected, "replaced")]
    if repeated:
        raise NegauditError(f"{where}: {noun} {', '.join(repeated)} is there more than once; keep one")


def _element(kind: pa.DataType, name: str, of_what: str, where: str) -> pa.DataType:
    """Return the type of a list column's elements; a column of nulls only has elements of no type."""
    if not is_list(kind):
        if types.is_null(kind) and name == "positive_ids":
            return kind
        raise NegauditError(f"{where}: column {name} must be a list of {of_what}, found {kind}")
    return kind.value_type
