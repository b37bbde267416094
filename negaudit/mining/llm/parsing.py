"""From an answer's text to the passages in it: the schema first, then whatever JSON array the prose around it holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from negaudit.mining.llm.exchange import Reply

THINKING_ENDS = "</think>"
# An answer with more brackets than this is no list of passages; trying each one would cost time without end.
MOST_TRIES = 200
_OPENING = re.compile(r"[\[{]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Draft:
    """One item of an answer before it is checked: a text, or None where the item was no string; and its kind of miss, if stated."""

    text: str | None
    kind: str | None = None


class UnusableAnswerError(Exception):
    """An answer that holds no list of passages; the message is the reason to count by."""


def drafts(reply: Reply, kinds: Sequence[str] = ()) -> list[Draft]:
    """Return the items of the list in `reply`, of whatever number and quality.

    Raises UnusableAnswerError: cut_off (it stopped at the token limit, so what is there is half an answer), filtered,
    unfinished_thinking, empty, not_json.
    """
    if reply.finish_reason == "length":
        raise UnusableAnswerError("cut_off")
    if reply.finish_reason == "content_filter":
        raise UnusableAnswerError("filtered")
    text = _after_thinking(reply.text).strip()
    if not text:
        raise UnusableAnswerError("empty")
    items = _by_schema(text)
    if items is None:
        items = max(_arrays(text), key=_texts_in, default=None)
    if items is None or not _texts_in(items):
        raise UnusableAnswerError("empty" if items == [] else "not_json")
    return [_draft(item, kinds) for item in items]


def _after_thinking(text: str) -> str:
    thinking, end, answer = text.rpartition(THINKING_ENDS)
    if end:
        return answer
    if text.lstrip().startswith("<think>"):
        raise UnusableAnswerError("unfinished_thinking")
    return answer or thinking


def _by_schema(text: str) -> list[Any] | None:
    """Return the list of an answer that is exactly what the schema asks for."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    items = body.get("passages") if isinstance(body, dict) else None
    return items if isinstance(items, list) else None


def _arrays(text: str) -> Iterator[list[Any]]:
    """Yield the arrays that are whole JSON in `text`, outermost first, and those that a JSON object around them holds."""
    place, tries = 0, 0
    while (found := _OPENING.search(text, place)) and tries < MOST_TRIES:
        tries += 1
        try:
            value, place = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.end()
            continue
        candidates = value.values() if isinstance(value, dict) else [value]
        yield from (candidate for candidate in candidates if isinstance(candidate, list))


def _texts_in(items: list[Any]) -> int:
    """Return how many items can be passages; that tells the list of passages from a "[1]" in the prose."""
    return sum(_draft(item, ()).text is not None for item in items)


def _draft(item: Any, kinds: Sequence[str]) -> Draft:
    if isinstance(item, str):
        return Draft(item)
    if not isinstance(item, dict):
        return Draft(None)
    kind = item.get("kind")
    text = next((item[name] for name in ("passage", "text", "negative", "content") if isinstance(item.get(name), str)), None)
    return Draft(text, kind if kind in kinds else None)
