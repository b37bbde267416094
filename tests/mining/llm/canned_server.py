"""A model server of canned answers over real sockets: python -m tests.mining.llm.canned_server SECONDS, or CannedServer in a test.

It answers chat completions with passages made of the request's own hash, and misbehaves as a script says, query by query.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo")
_FENCED = re.compile(r"<(data-[0-9a-f]+)>\n(.*?)\n</\1>", re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it; `number` counts the requests for the same query from 0."""

    query: str
    positive: str
    k: int
    schema: bool
    number: int
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """What the server does: a status and body, after `seconds`; with `dropped` it closes the connection in the middle of the body."""

    body: Any = None
    status: int = 200
    seconds: float = 0.0
    dropped: bool = False
    headers: dict[str, str] = field(default_factory=dict)


Script = Callable[[Asked], Answer]


def passages(seed: str, k: int, words: int = 40) -> list[str]:
    """Return `k` different passages of words, the same for the same seed."""
    drawn = random.Random(hashlib.blake2b(seed.encode()).hexdigest())
    return [" ".join("".join(drawn.choices(SYLLABLES, k=3)) for _ in range(words)).capitalize() + "." for _ in range(k)]


def completion(content: str | None, finish_reason: str = "stop") -> dict[str, Any]:
    """Return a chat completion that says `content`."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    return {"object": "chat.completion", "choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 50}}


def good(asked: Asked) -> Answer:
    """Answer as asked."""
    return Answer(completion(json.dumps({"passages": passages(f"{asked.query}{asked.number}", asked.k)})))


class CannedServer:
    """Serves `script` on a port of this machine while the context lasts; `asked` holds every request in the order it came."""

    def __init__(self, script: Script = good) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self._numbers: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def queries(self) -> list[str]:
        """The queries that were asked, in order, repeats included."""
        return [asked.query for asked in self.asked]

    def __enter__(self) -> CannedServer:
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop)
        self._server = starting.result(10)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:]) if name}
                body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
                answer = self.script(self._seen(body, headers))
                await asyncio.sleep(answer.seconds)
                await _send(writer, answer)
        writer.close()

    def _seen(self, body: dict[str, Any], headers: dict[str, str]) -> Asked:
        user = body["messages"][-1]["content"]
        texts = [text for _, text in _FENCED.findall(user)]
        k = int(re.search(r"Write (\d+) new", user)[1])
        asked = Asked(texts[0], texts[1], k, "response_format" in body, self._numbers[texts[0]], body, headers)
        self._numbers[texts[0]] += 1
        self.asked.append(asked)
        return asked


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> None:
    data = answer.body.encode() if isinstance(answer.body, str) else json.dumps(answer.body).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **answer.headers}
    lines = [f"HTTP/1.1 {answer.status} Canned", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
    if answer.dropped:
        writer.write(data[: len(data) // 2])
        await writer.drain()
        raise ConnectionResetError
    writer.write(data)
    await writer.drain()


if __name__ == "__main__":
    pause = float(sys.argv[1])
    with CannedServer(lambda asked: Answer(good(asked).body, seconds=pause)) as served:
        print(served.endpoint, flush=True)  # noqa: T201
        sys.stdin.read()
