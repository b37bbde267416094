"""Identified texts in JSON lines, as BEIR writes them: one object per line with _id, text and perhaps a title."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from negaudit.data.lines import line_error, numbered_lines

CHUNK = 4096


def jsonl_texts(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Yield (ids, texts) of the file in chunks of at most CHUNK lines, in order; `.gz` and `.zst` are read as they are.

    A text is title, one space, text, stripped; one that is null counts as empty.
    Raises NegauditError, with the line, for what is no such object.
    """
    ids: list[str] = []
    texts: list[str] = []
    for number, line in numbered_lines(path):
        try:
            body = json.loads(line)
            identifier, text = _identified(body)
            if "\\u" in line:
                # JSON can spell half of a surrogate pair, which no UTF-8 file can hold.
                (identifier + text).encode()
        except UnicodeEncodeError as error:
            raise line_error(path, number, "half of a surrogate pair in the text; expected whole characters") from error
        except json.JSONDecodeError as error:
            raise line_error(path, number, f"expected a JSON object with _id and text, found no JSON ({error.msg})") from error
        except (TypeError, ValueError, RecursionError) as error:
            raise line_error(path, number, str(error)) from error
        ids.append(identifier)
        texts.append(text)
        if len(ids) == CHUNK:
            yield ids, texts
            ids, texts = [], []
    if ids:
        yield ids, texts


def passage_text(title: str | None, text: str | None) -> str:
    """Return title, one space, text, stripped."""
    return f"{title or ''} {text or ''}".strip()


def _identified(body: Any) -> tuple[str, str]:
    """Return (id, text) of one parsed line; raises TypeError saying what was expected and found."""
    if not isinstance(body, dict):
        raise TypeError(f"expected a JSON object with _id and text, found {_kind(body)}")
    if "_id" not in body or "text" not in body:
        raise TypeError(f"expected the keys _id and text, found {', '.join(body) or 'none'}")
    identifier, text, title = body["_id"], body["text"], body.get("title")
    if isinstance(identifier, bool) or not isinstance(identifier, (str, int)) or identifier == "":
        raise TypeError(f"_id must be a string or an integer, found {_kind(identifier)}")
    if not isinstance(text, (str, type(None))):
        raise TypeError(f"text must be a string, found {_kind(text)}")
    if not isinstance(title, (str, type(None))):
        raise TypeError(f"title must be a string, found {_kind(title)}")
    return str(identifier), passage_text(title, text)


def _kind(value: object) -> str:
    if value == "":
        return "an empty string"
    names = {
        dict: "an object",
        list: "a list",
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
        type(None): "null",
    }
    return names[type(value)]
