"""The one normal form of records: whatever Arrow layout they came in, equal records become equal arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.data.schema import has_replaced, source_schema
from negaudit.errors import NegauditError

UNKNOWN_ORIGIN = "unknown"
Lengths = npt.NDArray[np.int64]


def normal_form(batch: pa.RecordBatch, where: str, *, first_row: int = 0, replaced: bool | None = None) -> pa.RecordBatch:
    """Return the records of `batch` in the types of source_schema(), with extra columns and hidden values gone.

    The schema must have passed check_source_schema. Null lists become empty, null texts empty strings (scoring counts both as what they
    are), a null negative an empty one at its place, a null origin "unknown", absent positive ids one null per positive. Only ids, rank,
    score and `replaced` may stay null.
    `replaced` says whether the field is kept (by default: where it is there; added as nulls where not).
    Raises NegauditError, naming `where` and the row (`first_row` is that of the batch's first), for a null query id, ids not parallel to
    positives, and values that do not fit.
    """
    keep = has_replaced(batch.schema) if replaced is None else replaced
    schema = source_schema(replaced=keep)
    try:
        lengths, positives = _lists(batch["positives"])
        positives = _text(positives)
        arrays = [
            _query_ids(batch["query_id"], where, first_row),
            _text(batch["query"]),
            pa.ListArray.from_arrays(_offsets(lengths), _positive_ids(batch, lengths, where)),
            pa.ListArray.from_arrays(_offsets(lengths), positives),
            _negatives(batch["negatives"], schema.field("negatives").type),
        ]
        normal = pa.RecordBatch.from_arrays([array.cast(kind) for array, kind in zip(arrays, schema.types, strict=True)], schema=schema)
        # Parquet files may hold bytes that are not UTF-8 in a text column; nobody checked before.
        normal.validate(full=True)
        return normal
    except (pa.ArrowException, OverflowError) as error:
        raise NegauditError(f"{where}: a value does not fit its column ({str(error).splitlines()[0]})") from error


def _query_ids(column: pa.Array, where: str, first_row: int) -> pa.Array:
    if column.null_count:
        row = first_row + int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise NegauditError(f"{where}: query_id of row {row} (counted from 0) is null; every record needs the id of its query")
    return column.cast(pa.string())


def _text(column: pa.Array) -> pa.Array:
    return column.cast(pa.string()).fill_null("")


def _lists(column: pa.Array) -> tuple[Lengths, pa.Array]:
    """Return (the length of each list, null lists counting 0; their elements in one array)."""
    if pa.types.is_null(column.type):
        return np.zeros(len(column), np.int64), pa.nulls(0, pa.string())
    lengths = pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lengths, pc.list_flatten(column)


def _offsets(lengths: Lengths) -> pa.Array:
    ends = np.concatenate(([0], np.cumsum(lengths)))
    return pa.array(ends).cast(pa.int32())


def _positive_ids(batch: pa.RecordBatch, lengths: Lengths, where: str) -> pa.Array:
    """Return one id per positive; the lists that are null or empty stand for ids nobody knows."""
    found, ids = _lists(batch["positive_ids"])
    ids = ids.cast(pa.string())
    wrong = np.flatnonzero((found != lengths) & (found != 0))
    if wrong.size:
        row = int(wrong[0])
        query_id = batch["query_id"][row].as_py()
        raise NegauditError(
            f"{where}: query {query_id} has {found[row]} positive_ids for {lengths[row]} positives; expected one each, or none"
        )
    if np.array_equal(found, lengths):
        return ids
    known = np.repeat(found == lengths, lengths)
    return ids.take(pa.array(np.cumsum(known) - 1, mask=~known))


def _negatives(column: pa.Array, kind: pa.DataType) -> pa.Array:
    lengths, structs = _lists(column)
    fields = list(kind.value_type)
    # flatten() carries a null struct down into its fields, where each is filled as a field of its own.
    children = dict(zip([field.name for field in structs.type], structs.flatten(), strict=True))
    filled = {"text": "", "origin": UNKNOWN_ORIGIN}
    arrays = []
    for field in fields:
        child = children[field.name] if field.name in children else pa.nulls(len(structs), field.type)
        child = child.cast(field.type)
        arrays.append(child.fill_null(filled[field.name]) if field.name in filled else child)
    return pa.ListArray.from_arrays(_offsets(lengths), pa.StructArray.from_arrays(arrays, fields=fields))
