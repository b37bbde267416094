"""`show`: records of a file, with all that is known of each negative."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from negaudit.data.collection import Collection
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.source_file import open_file
from negaudit.data.pair_numbers import pair_numbers
from negaudit.data.selection import Chosen, at_line, at_random, by_query
from negaudit.errors import NegauditError


def show(
    path: str | Path,
    *,
    query: str | None = None,
    line: int | None = None,
    random: int | None = None,
    seed: int = 42,
    scores: Path | None = None,
    name: str | None = None,
    format: str | None = None,  # noqa: A002 (the option's name)
    collection: Collection | Lookup | None = None,
) -> list[dict[str, Any]]:
    """Return records of the file at `path`: those of one `query` (its id or text), the one at a `line`, or `random` many drawn with `seed`.

    Each is {row, line, query_id, query, positives [{id, text, score}], negatives [{id, text, origin, rank, score, replaced, numbers}]};
    `numbers` are those of the pair in the scored run `scores`, where the source is called `name` (else as the file).
    Raises NegauditError unless exactly one of the three is given, and where there is no such record.
    """
    if sum(choice is not None for choice in (query, line, random)) != 1:
        raise NegauditError("give one of --query ID, --line N and --random N")
    file = open_file(path, format=format, collection=collection, origin=name)
    if query is not None:
        chosen = by_query(file, query)
    elif line is not None:
        chosen = at_line(file, line)
    else:
        chosen = at_random(file, random or 0, seed)
    numbers = [pair_numbers(scores, file.origin, one.row, one.record.key) if scores else {} for one in chosen]
    return [_body(one, file.origin, pairs) for one, pairs in zip(chosen, numbers, strict=True)]


def _body(chosen: Chosen, origin: str, numbers: dict[int, dict[str, Any]]) -> dict[str, Any]:
    record = chosen.record
    return {
        "row": chosen.row,
        "line": record.line,
        "query_id": record.key,
        "query": record.query,
        "positives": [
            {"id": _at(record.positive_ids, place), "text": text, "score": _score(record.positive_scores, place)}
            for place, text in enumerate(record.positives)
        ],
        "negatives": [
            {
                "id": _at(record.negative_ids, place),
                "text": text,
                "origin": _at(record.origins, place) or origin,
                "rank": _at(record.ranks, place),
                "score": _score(record.negative_scores, place),
                "replaced": _at(record.replaced, place),
                "numbers": numbers.get(place, {}),
            }
            for place, text in enumerate(record.negatives)
        ],
        "left_out": [{"role": lost.role, "reason": lost.reason, "id": lost.id} for lost in record.lost],
    }


def _at(values: Any, place: int) -> Any:
    return values[place] if values is not None else None


def _score(values: Any, place: int) -> Any:
    """Return the score; one that is not finite as a word ("nan", "inf"), since JSON has no number for it."""
    value = _at(values, place)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
