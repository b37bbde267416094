"""Fingerprints of inputs: blake2b-128 of a file's bytes, or of records whatever file and batches they came in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from negaudit.errors import NegauditError

DIGEST_SIZE = 16


def file_fingerprint(path: Path) -> str:
    """Return the blake2b-128 digest of the file's bytes, as 32 hex digits; raises NegauditError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, _digest).hexdigest()
    except OSError as error:
        raise NegauditError(f"{path}: cannot be read ({error.strerror or error})") from error


def records_fingerprint(batches: Iterable[pa.RecordBatch]) -> str:
    """Return the blake2b-128 digest (32 hex digits) of records in normal form (see normal_form), in their order.

    Each flat column, its lengths and its nulls run through a digest of their own, so the batching leaves no trace; neither do
    compression and the file's metadata.
    """
    digests: dict[str, hashlib.blake2b] = {}
    for batch in (batch for batch in batches if batch.num_rows):
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            for part, data in _parts(name, column):
                digests.setdefault(part, _digest()).update(data)
    whole = _digest()
    for part in sorted(digests):
        whole.update(f"{part}\0".encode() + digests[part].digest())
    return whole.hexdigest()


def _digest() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=DIGEST_SIZE)


def _parts(name: str, column: pa.Array) -> Iterator[tuple[str, bytes | memoryview]]:
    """Yield (part, bytes) of a column: equal values give equal bytes, and bytes of batches join to the bytes of the whole."""
    kind = column.type
    if pa.types.is_list(kind):
        yield f"{name}.length", _bytes(pc.list_value_length(column))
        yield from _parts(name, pc.list_flatten(column))
    elif pa.types.is_struct(kind):
        for field, child in zip(kind, column.flatten(), strict=True):
            yield from _parts(f"{name}.{field.name}", child)
    else:
        yield f"{name}.valid", _bytes(column.is_valid().cast(pa.uint8()))
        if pa.types.is_string(kind):
            filled = column.fill_null("").cast(pa.large_string())
            yield f"{name}.size", _bytes(pc.binary_length(filled))
            yield name, _text_bytes(filled)
        else:
            yield name, _bytes(column.cast(pa.uint8() if pa.types.is_boolean(kind) else kind).fill_null(0))


def _bytes(column: pa.Array) -> bytes:
    values = column.to_numpy(zero_copy_only=False)
    data: bytes = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
    return data


def _text_bytes(column: pa.Array) -> memoryview:
    if not len(column):
        return memoryview(b"")
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64, count=len(column) + 1, offset=column.offset * 8)
    return memoryview(data or b"")[int(bounds[0]) : int(bounds[-1])]
