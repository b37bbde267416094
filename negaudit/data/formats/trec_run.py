"""TREC runs: qid Q0 pid rank score tag, which become negatives once a collection says what is positive."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from negaudit.data.folded import folded
from negaudit.data.formats.container import Container
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register
from negaudit.data.formats.line_format import is_number, wrong_columns
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Item, Lost, Reject
from negaudit.data.formats.rows import columns
from negaudit.data.lines import line_error

NAME = "trec-run"
EXPECTED = "qid Q0 pid rank score tag"


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of a run."""

    passage_id: str
    score: float


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """All lines of one query, best first (by score, equal ones by id), and the line they begin at."""

    line: int
    query_id: str
    passages: Sequence[Ranked]

    @property
    def ties(self) -> int:
        """How many passages have the score of the one before."""
        return sum(one.score == other.score for one, other in zip(self.passages, self.passages[1:], strict=False))


def _recognise(head: Head) -> int:
    words = [" ".join(line).split() for line in head.lines]
    six = [line for line in words if len(line) == 6]
    fits = all(line[1].upper() == "Q0" and is_number(line[3]) and is_number(line[4]) for line in six)
    return CERTAIN + 1 if six and 2 * len(six) > len(words) and fits else NEVER


def ranked_queries(container: Container) -> Iterator[RankedQuery | Reject]:
    """Yield the queries of a run, one after the other; only one is in memory.

    Raises NegauditError where a query's lines are in two places: its ranking would be cut in two.
    """
    seen: set[str] = set()
    line, current, found = 0, "", list[Ranked]()
    for number, fields in columns(container, None):
        if isinstance(fields, Reject):
            yield fields
            continue
        if reject := _wrong(number, fields):
            yield reject
            continue
        query_id, _, passage_id, _, score, _ = fields
        if query_id != current or not found:
            if found:
                yield _ranked(line, current, found)
            if query_id in seen:
                problem = f"query {query_id} was there before, with others between; sort the file by query (sort -s -k1,1)"
                raise line_error(container.path, number, problem)
            seen.add(query_id)
            line, current, found = number, query_id, []
        found.append(Ranked(passage_id, float(score)))
    if found:
        yield _ranked(line, current, found)


def _wrong(number: int, fields: list[str]) -> Reject | None:
    if len(fields) != 6:
        return wrong_columns(number, fields, 6, EXPECTED)
    if not is_number(fields[4]) or math.isnan(float(fields[4])):
        return Reject(number, "bad_score", f"the score must be a number, found {fields[4][:40]!r}", " ".join(fields)[:200])
    return None


def _ranked(line: int, query_id: str, found: list[Ranked]) -> RankedQuery:
    return RankedQuery(line, query_id, sorted(found, key=lambda passage: (-passage.score, passage.passage_id)))


def _read(container: Container, lookup: Lookup) -> Iterator[Item]:
    for item in ranked_queries(container):
        yield item if isinstance(item, Reject) else _record(item, lookup)


def _record(ranked: RankedQuery, lookup: Lookup) -> Item:
    """Return the record of one query: the best `lookup.k` within the band of ranks that are no positive, by id or by folded text."""
    query = lookup.query(ranked.query_id)
    if query is None:
        return Reject(ranked.line, "unknown_query", f"query {ranked.query_id} is not among the queries")
    relevant = lookup.relevant.get(ranked.query_id, ())
    positive_ids, positives, lost = lookup.known(relevant, "positive")
    if not positives:
        none = f"query {ranked.query_id}: no passage is judged {lookup.min_relevance} or more"
        return Reject(ranked.line, "no_known_positive", none)
    low, high = lookup.ranks or (1, len(ranked.passages))
    same, ids = {folded(text) for text in positives}, set(relevant)
    kept: list[tuple[int, Ranked, str]] = []
    for rank, passage in enumerate(ranked.passages[low - 1 : high], start=low):
        if lookup.k is not None and len(kept) == lookup.k:
            break
        text = lookup.passages.get(passage.passage_id) if lookup.passages else None
        reason = _out(passage.passage_id, text, ids, same)
        if reason:
            lost.append(Lost("negative", reason, passage.passage_id))
        elif text is not None:
            kept.append((rank, passage, text))
    return Found(
        ranked.line,
        query,
        positives,
        [text for _, _, text in kept],
        query_id=ranked.query_id,
        positive_ids=positive_ids,
        negative_ids=[passage.passage_id for _, passage, _ in kept],
        negative_scores=[passage.score for _, passage, _ in kept],
        ranks=[rank for rank, _, _ in kept],
        lost=lost,
    )


def _out(passage_id: str, text: str | None, ids: set[str], same: set[str]) -> str | None:
    """Return why a passage is no negative, None where it is one."""
    if passage_id in ids:
        return "positive_id"
    if text is None:
        return "unknown_passage"
    return "positive_text" if folded(text) in same else None


register(Format(NAME, EXPECTED, _recognise, _read, needs=("passages", "queries", "judgements")))
