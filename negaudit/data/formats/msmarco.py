"""MS MARCO's triples as text or as ids, and its top 1000: qid, pid, query, passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from negaudit.data.formats.container import Container
from negaudit.data.formats.format import CERTAIN, LIKELY, NEVER, Format, Head, register
from negaudit.data.formats.line_format import Fields, is_id, is_number, known_record, line_reader, wrong_columns
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item, Lost, Reject
from negaudit.data.formats.rows import columns
from negaudit.data.qrels import column_positions

TRIPLES, ID_TRIPLES, TOP = "msmarco-triples", "msmarco-id-triples", "msmarco-top1000"
_TEXTS, _IDS, _TOP = "query, positive, negative", "qid, positive pid, negative pid", "qid, pid, query, passage"


def _recognise_triples(head: Head) -> int:
    three = [line for line in head.lines if len(line) == 3]
    return LIKELY if head.width(3) and not any(all(map(is_id, line)) for line in three) else NEVER


def _recognise_ids(head: Head) -> int:
    three = [line for line in head.lines if len(line) == 3]
    ids = head.width(3) and all(all(map(is_id, line)) for line in three)
    # Three columns whose last is a small number, or that a header names, are judgements.
    judged = column_positions(head.lines[0]) is not None or all(line[2].isdigit() and int(line[2]) <= 4 for line in three) if ids else True
    return NEVER if judged else LIKELY


def _recognise_top(head: Head) -> int:
    four = [line for line in head.lines if len(line) == 4]
    return CERTAIN if head.width(4) and all(is_id(line[0]) and is_id(line[1]) and not is_number(line[3]) for line in four) else NEVER


def _triple(fields: Fields, _: Lookup) -> dict[str, Any]:
    return {"query": fields[0], "positives": [fields[1]], "negatives": [fields[2]]}


def _id_triple(fields: Fields, lookup: Lookup) -> dict[str, Any]:
    return known_record(fields[0], fields[1], fields[2], lookup)


def _read_top(container: Container, lookup: Lookup) -> Iterator[Item]:
    """Put consecutive lines of one query together; its judged passages are the positives, taken out of the negatives and counted."""
    current: Found | None = None
    for number, fields in columns(container):
        if isinstance(fields, Reject):
            yield fields
        elif len(fields) != 4:
            yield wrong_columns(number, fields, 4, _TOP)
        else:
            if current is None or current.query_id != fields[0]:
                if current is not None:
                    yield _judged(current, lookup)
                current = Found(number, fields[2], [], [], query_id=fields[0], negative_ids=[])
            current.negatives.append(fields[3])
            current.negative_ids = [*(current.negative_ids or ()), fields[1]]
    if current is not None:
        yield _judged(current, lookup)


def _judged(record: Found, lookup: Lookup) -> Item:
    relevant = lookup.relevant.get(record.query_id or "", ())
    found = dict(zip(record.negative_ids or (), record.negatives, strict=True))
    texts = {identifier: found.get(identifier) or (lookup.passages.get(identifier) if lookup.passages else None) for identifier in relevant}
    positives = {identifier: text for identifier, text in texts.items() if text is not None}
    if not positives:
        return Reject(record.line, "no_known_positive", f"query {record.query_id}: none of its {len(relevant)} judged passages is known")
    left = [(i, text) for i, text in zip(record.negative_ids or (), record.negatives, strict=True) if i not in texts]
    return Found(
        record.line,
        record.query,
        list(positives.values()),
        [text for _, text in left],
        query_id=record.query_id,
        positive_ids=list(positives),
        negative_ids=[identifier for identifier, _ in left],
        ranks=None,
        lost=[Lost("positive", "unknown_passage", i) for i, text in texts.items() if text is None]
        + [Lost("negative", "positive_id", i) for i in record.negative_ids or () if i in texts],
    )


register(Format(TRIPLES, _TEXTS, _recognise_triples, line_reader(3, _triple, _TEXTS)))
register(Format(ID_TRIPLES, _IDS, _recognise_ids, line_reader(3, _id_triple, _IDS), needs=("passages", "queries")))
register(Format(TOP, _TOP, _recognise_top, _read_top, needs=("judgements",)))
