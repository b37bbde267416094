"""What somebody can do to a JSON document: a value gone, or another one in its place."""

from __future__ import annotations

import copy
from typing import Any

GONE = object()
OTHERS = (GONE, None, "text", 7, [], {}, True, [None], {"a": 1})


def put(body: Any, place: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of `body` with `value` at `place` (keys and positions from the top), or without that place where it is GONE."""
    body = copy.deepcopy(body)
    at = body
    for key in place[:-1]:
        at = at[key]
    if value is GONE:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return body
