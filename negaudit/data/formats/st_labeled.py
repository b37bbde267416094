"""sentence-transformers labeled pairs and lists: positives and negatives alike are in the positive column, told apart by a label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from negaudit.data.formats.container import Container
from negaudit.data.formats.fields import Row, need, others, score, scores, text, texts, values
from negaudit.data.formats.format import LIKELY, NEVER, Format, Head, made, register, row_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item, Reject, UnusableError
from negaudit.data.formats.rows import rows
from negaudit.data.formats.st_tuples import ANCHORS, POSITIVES, negative_columns

PAIR, LIST = "st-labeled-pair", "st-labeled-list"
_COLUMNS = (*POSITIVES, "docs", "documents")
_KEYS = tuple((anchor, column) for anchor in ANCHORS for column in _COLUMNS)
_KNOWN = frozenset({*ANCHORS, *_COLUMNS, "label", "labels", "score", "scores"})


def _named(head: Head) -> bool:
    return any(head.all_have(*keys) for keys in _KEYS) and not any(negative_columns(row) for row in head.rows)


def _recognise_list(head: Head) -> int:
    lists = _named(head) and head.any_has("labels", "scores")
    return LIKELY if lists and all(isinstance(row[need(row, *_COLUMNS)], list) for row in head.rows if _has(row)) else NEVER


def _recognise_pair(head: Head) -> int:
    pairs = _named(head) and head.any_has("label", "score")
    return LIKELY if pairs and all(isinstance(row[need(row, *_COLUMNS)], str) for row in head.rows if _has(row)) else NEVER


def _has(row: Row) -> bool:
    return any(row.get(name) is not None for name in _COLUMNS)


def _list_record(row: Row, _: Lookup) -> dict[str, Any]:
    anchor, column = need(row, *ANCHORS), need(row, *_COLUMNS)
    documents = texts(row, column)
    found = scores(row, "scores", len(documents), of="texts")
    # Without labels, the first document is the positive: that is what mine_hard_negatives writes with scores.
    labels = [_label(value) for value in values(row, "labels")] or [place == 0 for place in range(len(documents))]
    if len(labels) != len(documents):
        raise UnusableError("lengths_differ", f"labels has {len(labels)} values for {len(documents)} texts")
    both = [[place for place, label in enumerate(labels) if label is wanted] for wanted in (True, False)]
    return {
        "query": text(row[anchor], anchor),
        "positives": [documents[place] for place in both[0]],
        "negatives": [documents[place] for place in both[1]],
        "positive_scores": [found[place] for place in both[0]] if found else None,
        "negative_scores": [found[place] for place in both[1]] if found else None,
        "left_out": others(row, _KNOWN),
    }


def _pair_record(row: Row, _: Lookup) -> dict[str, Any]:
    """Return one pair as a record of one text; which side it is on without a label is told when the pairs are put together."""
    anchor, column = need(row, *ANCHORS), need(row, *_COLUMNS)
    label = row.get("label")
    document, value = [text(row[column], column)], [score(row.get("score"), "score")]
    positive = label is None or _label(label)
    sides = {"positives": document, "negatives": [], "positive_scores": value, "negative_scores": []}
    if not positive:
        sides = {"positives": [], "negatives": document, "positive_scores": [], "negative_scores": value}
    return {"query": text(row[anchor], anchor), "left_out": others(row, _KNOWN), **sides}


def _label(value: Any) -> bool:
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    if isinstance(value, str) and value in ("0", "1", "0.0", "1.0"):  # CSV has no numbers
        return float(value) == 1
    raise UnusableError("bad_label", f"a label must be 0 or 1, found {value!r}"[:120])


def _read_pairs(container: Container, lookup: Lookup) -> Iterator[Item]:
    """Put consecutive pairs of one anchor together; without labels the first of them is the positive."""
    current: Found | None = None
    for number, row in rows(container):
        item = row if isinstance(row, Reject) else made(container, number, _numbered(row), lookup, PAIR, _pair_record, _KEYS)
        if isinstance(item, Reject):
            yield item
        elif current is not None and current.query == item.query:
            _add(current, item, unlabelled=not isinstance(row, Reject) and row.get("label") is None)
        else:
            if current is not None:
                yield _finished(current)
            current = item
    if current is not None:
        yield _finished(current)


def _numbered(row: Row) -> Row:
    """Return the row with the score of a CSV cell as a number."""
    value = row.get("score")
    try:
        return {**row, "score": float(value)} if isinstance(value, str) else row
    except ValueError:
        return row


def _add(record: Found, pair: Found, *, unlabelled: bool) -> None:
    negative = unlabelled or bool(pair.negatives)
    record_side, scores_of = (record.negatives, "negative_scores") if negative else (record.positives, "positive_scores")
    record_side.extend([*pair.positives, *pair.negatives])
    setattr(record, scores_of, [*(getattr(record, scores_of) or ()), *(pair.positive_scores or ()), *(pair.negative_scores or ())])


def _finished(record: Found) -> Found:
    for name in ("positive_scores", "negative_scores"):
        if all(value is None for value in getattr(record, name) or ()):
            setattr(record, name, None)
    return record


register(
    Format(LIST, "anchor, a list of texts in positive, and labels of 0 and 1", _recognise_list, row_reader(LIST, _list_record, keys=_KEYS))
)
register(Format(PAIR, "anchor, positive and label (0 or 1) or score", _recognise_pair, _read_pairs))
