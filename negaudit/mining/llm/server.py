"""The back end for any OpenAI-compatible server: requests in flight at once, retries, and JSON by schema where the server can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from negaudit.errors import MissingExtraError, NegauditError
from negaudit.mining.llm.api_key import ApiKey
from negaudit.mining.llm.exchange import Complete, Reply, Request, RequestFailedError, stable_name
from negaudit.mining.llm.retrying import Retrying, transient

# The server will not answer any request with these, whatever is asked.
HOPELESS = (401, 403, 404, 405)
# What servers say to a response format that they do not know.
REFUSALS = (400, 422, 501)


class ServerBackend:
    """Asks the server at `endpoint` (".../v1") for completions of `model`, at most `in_flight` at once, each within `timeout` seconds.

    A key is taken from NEGAUDIT_API_KEY, else OPENAI_API_KEY. Raises NegauditError for an address that is none or that holds a
    user, a password or a query, and MissingExtraError without the HTTP client.
    """

    def __init__(self, endpoint: str, model: str, *, in_flight: int = 32, timeout: float = 600.0, retrying: Retrying | None = None) -> None:
        _require_client()
        if in_flight < 1 or not timeout > 0:
            raise NegauditError(f"in-flight is {in_flight} and timeout {timeout}: expected at least 1 request and more than 0 seconds")
        self._url = _checked(endpoint)
        self._model = model
        self.in_flight = in_flight
        self._timeout = timeout
        self._retrying = retrying or Retrying()
        self._key = ApiKey()
        self._takes_schema = True

    def identity(self) -> Mapping[str, Any]:
        """Return the kind of back end and the model's name."""
        return {"backend": "server", "model": stable_name(self._model)}

    def versions(self) -> Mapping[str, str]:
        """Return the version of the HTTP client: a server does not say what it runs on."""
        import httpx2

        return {"httpx2": httpx2.__version__}

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Complete]:
        """Yield the function that answers requests, over one pool of connections."""
        import httpx2

        limits = httpx2.Limits(max_connections=self.in_flight, max_keepalive_connections=self.in_flight)
        timeout = httpx2.Timeout(self._timeout, pool=None)
        async with httpx2.AsyncClient(headers=self._key.headers(), timeout=timeout, limits=limits) as client:
            yield lambda request: self._complete(client, request)

    async def _complete(self, client: Any, request: Request) -> Reply:
        retries: list[str] = []
        while True:
            try:
                return await self._once(client, request, tuple(retries))
            except _TransientError as error:
                if len(retries) >= self._retrying.retries:
                    raise RequestFailedError(error.reason, str(error), tuple(retries)) from None
                wait = self._retrying.wait(len(retries), request.seed, error.wished)
                retries.append(error.reason)
            await asyncio.sleep(wait)

    async def _once(self, client: Any, request: Request, retries: tuple[str, ...]) -> Reply:
        schema = self._takes_schema
        response = await self._post(client, request, schema=schema)
        if schema and response.status_code in REFUSALS:
            plain = await self._post(client, request, schema=False)
            if plain.status_code == 200:
                # The same request without the format went through, so the format is what the server cannot do.
                self._takes_schema = False
                retries = (*retries, "schema_refused")
            response = plain
        if response.status_code != 200:
            raise self._refused(response, retries)
        return _reply(response, retries)

    async def _post(self, client: Any, request: Request, *, schema: bool) -> Any:
        import httpx2

        body = self._body(request, schema=schema)
        try:
            # A server that sends a byte now and then never exceeds the client's own time-outs.
            async with asyncio.timeout(self._timeout):
                return await client.post(self._url, json=body)
        except (TimeoutError, httpx2.TimeoutException):
            raise _TransientError("timeout", f"no answer within {self._timeout:g} s") from None
        except httpx2.TransportError as error:
            raise _TransientError("dropped", self._key.removed_from(f"{type(error).__name__}: {error}")) from None

    def _body(self, request: Request, *, schema: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": request.messages(),
            "temperature": request.sampling.temperature,
            "top_p": request.sampling.top_p,
            "max_tokens": request.sampling.max_tokens,
            "seed": request.seed,
        }
        if schema:
            named = {"name": "negatives", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    def _refused(self, response: Any, retries: tuple[str, ...]) -> Exception:
        status = response.status_code
        said = " ".join(self._key.removed_from(response.text).split())[:200]
        if transient(status):
            return _TransientError(f"http_{status}", f"status {status}: {said}", response.headers.get("retry-after"))
        if status in HOPELESS:
            return NegauditError(
                f"the server refuses every request (status {status}: {said}); check --endpoint, --model and the key in the environment"
            )
        return RequestFailedError(f"http_{status}", f"status {status}: {said}", retries)


class _TransientError(Exception):
    """A try that failed in a way that may pass."""

    def __init__(self, reason: str, message: str, wished: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.wished = wished


def _reply(response: Any, retries: tuple[str, ...]) -> Reply:
    """Return the first choice of the server's answer; one that is no chat completion counts as a try that failed."""
    try:
        body = response.json()
        choice = body["choices"][0]
        text = choice["message"].get("content") or ""
        usage = body.get("usage") or {}
        tokens = (int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
        return Reply(str(text), choice.get("finish_reason"), *tokens, retries)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise _TransientError("no_completion", "the answer is no chat completion") from None


def _checked(endpoint: str) -> str:
    """Return the address of chat completions under `endpoint`."""
    try:
        parts = urlsplit(endpoint)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise NegauditError("--endpoint: expected an address such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise NegauditError("--endpoint holds more than an address; a key belongs into the environment variable NEGAUDIT_API_KEY")
    return endpoint.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"


def _require_client() -> None:
    from importlib.util import find_spec

    if find_spec("httpx2") is None:
        raise MissingExtraError("asking a model server", "llm")
