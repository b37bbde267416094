"""The flagged negatives that a review shows side by side, from examples.parquet, within a fixed budget of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import check_of, number

FILE = "examples.parquet"
SHOWN = 3  # per source and check
LONGEST = 700  # characters of a text that are shown
BUDGET = 500_000  # characters of all texts together, so that a page of many sources stays one that opens at once
Span = tuple[int, int]
Piece = tuple[str, bool]


@dataclass(frozen=True)
class Example:
    """One flagged negative: texts as pieces, each with whether it is one of the query's words that the negative covers."""

    query_id: str
    query: tuple[Piece, ...]
    positive: tuple[Piece, ...]
    negative: tuple[Piece, ...]
    value: str
    origin: str
    size: int


@dataclass(frozen=True)
class ExampleGroup:
    """The examples of one source and check: `shown` of `saved` in the file, of `flagged` in all (None: not known)."""

    source: str
    check: str
    check_order: int
    title: str
    examples: tuple[Example, ...]
    saved: int
    flagged: int | None


def example_groups(run: SavedRun) -> tuple[list[ExampleGroup], str]:
    """Return the groups in the order of the audit, and why there are none (empty where there are)."""
    try:
        rows = _rows(run.folder / FILE)
    except FileNotFoundError:
        return [], f"No examples were saved ({FILE} is not there): run `negaudit audit` with checks."
    except (OSError, ValueError, KeyError) as error:
        return [], f"{FILE} could not be read ({' '.join(str(error).split())}); run `negaudit audit` again."
    by_place: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        by_place.setdefault((str(row["source"]), str(row["check"])), []).append(row)
    order = {name: at for at, name in enumerate(run.names)}
    checks = {name: at for at, name in enumerate(run.check_names)}
    places = sorted(by_place, key=lambda place: (checks.get(place[1], len(checks)), order.get(place[0], len(order)), place))
    return _within_budget(run, places, by_place), "" if places else "The checks flagged no negative."


def _rows(path: Path) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    except pa.ArrowException as error:
        raise ValueError(str(error)) from error
    lacking = {"source", "check", "query", "positive", "negative"} - set(
        rows[0] if rows else ("source", "check", "query", "positive", "negative")
    )
    if lacking:
        raise KeyError(f"it has no column {', '.join(sorted(lacking))}")
    return rows


def _within_budget(
    run: SavedRun, places: Sequence[tuple[str, str]], by_place: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
) -> list[ExampleGroup]:
    """Take one example of every place, then a second one, until the budget of text is spent."""
    taken: dict[tuple[str, str], list[Example]] = {place: [] for place in places}
    left = BUDGET
    for at in range(SHOWN):
        for place in places:
            if at < len(by_place[place]):
                example = _example(by_place[place][at])
                if example.size <= left:
                    taken[place].append(example)
                    left -= example.size
    return [
        ExampleGroup(
            source=source,
            check=check,
            check_order=next(at for at, (_, other) in enumerate(places) if other == check),
            title=check_of(check).title,
            examples=tuple(taken[source, check]),
            saved=len(by_place[source, check]),
            flagged=run.checks(source).get(check, {}).get("count") if source in run.sources else None,
        )
        for source, check in places
        if taken[source, check]
    ]


def _example(row: Mapping[str, Any]) -> Example:
    texts = {name: _text(row[name]) for name in ("query", "positive", "negative")}
    pieces = {name: tuple(marked(text, _spans(row, name))) for name, text in texts.items()}
    size = sum(len(piece) for found in pieces.values() for piece, _ in found)
    return Example(
        query_id=_text(row.get("query_id")),
        query=pieces["query"],
        positive=pieces["positive"],
        negative=pieces["negative"],
        value=number(row.get("value")),
        origin=_text(row.get("origin")),
        size=size,
    )


def _text(value: Any) -> str:
    """Return a text; some formats keep a list of texts, of which the first is meant."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return "" if value is None else str(value)


def _spans(row: Mapping[str, Any], name: str) -> list[Span]:
    """Return the covered spans of one text, in characters, as pairs or as {start, end}."""
    found = row.get(f"{name}_spans") or row.get(f"{name}_covered") or []
    return [(int(s["start"]), int(s["end"])) if isinstance(s, Mapping) else (int(s[0]), int(s[1])) for s in found]


def marked(text: str, spans: Iterable[Span]) -> list[Piece]:
    """Return `text` cut into pieces, each with whether it lies in one of `spans`; what is too long ends in an ellipsis."""
    shown = text if len(text) <= LONGEST else text[:LONGEST].rstrip()
    pieces: list[Piece] = []
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(shown))
        if start >= end:
            continue
        if start > at:
            pieces.append((shown[at:start], False))
        pieces.append((shown[start:end], True))
        at = end
    if at < len(shown):
        pieces.append((shown[at:], False))
    return [*pieces, ("…", False)] if len(shown) < len(text) else pieces
