"""The back end for vLLM in this process: whatever requests are waiting go to the engine as one batch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from negaudit.errors import MissingExtraError, NegauditError
from negaudit.mining.llm.exchange import Complete, Reply, Request, RequestFailedError, stable_name

# How long the engine is held back for further requests once one is there: the records of a batch come back together.
SECONDS_TO_GATHER = 0.02


@dataclass(frozen=True, slots=True)
class _Waiting:
    request: Request
    answer: asyncio.Future[Reply]


class EngineBackend:
    """Runs `model` (a hub id or a folder) in vLLM, with up to `in_flight` requests in a batch; shared prompt beginnings are computed once.

    `options` go to vllm.LLM as they are (dtype, max_model_len, gpu_memory_utilization …). The engine starts when it is first needed.
    Raises MissingExtraError without vLLM.
    """

    def __init__(self, model: str, *, in_flight: int = 256, tensor_parallel: int = 1, options: Mapping[str, Any] | None = None) -> None:
        from importlib.util import find_spec

        if find_spec("vllm") is None:
            raise MissingExtraError("running a model in this process", "vllm")
        if in_flight < 1 or tensor_parallel < 1:
            raise NegauditError(f"in-flight is {in_flight} and tensor-parallel {tensor_parallel}: expected at least 1")
        self._model = model
        self.in_flight = in_flight
        self._options = {"enable_prefix_caching": True, "tensor_parallel_size": tensor_parallel, **(options or {})}

    def identity(self) -> Mapping[str, Any]:
        """Return the kind of back end, the model's name, and the number format where one was asked for."""
        return {"backend": "vllm", "model": stable_name(self._model), "dtype": str(self._options.get("dtype", "auto"))}

    def versions(self) -> Mapping[str, str]:
        """Return the version of vLLM."""
        import vllm

        return {"vllm": str(vllm.__version__)}

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Complete]:
        """Yield the function that answers requests; the engine is started here, and let go at the end."""
        engine = await asyncio.to_thread(self._started)
        waiting: asyncio.Queue[_Waiting] = asyncio.Queue()

        async def complete(request: Request) -> Reply:
            answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            waiting.put_nowait(_Waiting(request, answer))
            return await answer

        batches = asyncio.create_task(self._batches(engine, waiting))
        try:
            yield complete
        finally:
            batches.cancel()

    def _started(self) -> Any:
        import vllm

        try:
            return vllm.LLM(model=self._model, **self._options)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
            raise NegauditError(f"vLLM cannot run {stable_name(self._model)}: {reason}; check --model and --engine-option") from error

    async def _batches(self, engine: Any, waiting: asyncio.Queue[_Waiting]) -> None:
        while True:
            batch = [await waiting.get()]
            await asyncio.sleep(SECONDS_TO_GATHER)
            while not waiting.empty() and len(batch) < self.in_flight:
                batch.append(waiting.get_nowait())
            try:
                outputs = await asyncio.to_thread(_generate, engine, [one.request for one in batch])
            except Exception as error:
                outputs = [error] * len(batch) if len(batch) == 1 else await self._one_by_one(engine, batch)
            for one, output in zip(batch, outputs, strict=True):
                _settle(one.answer, output)

    async def _one_by_one(self, engine: Any, batch: list[_Waiting]) -> list[Any]:
        """Return the outputs of a batch that failed as a whole, each asked for alone: one bad request must not take the others along."""
        outputs: list[Any] = []
        for one in batch:
            try:
                outputs += await asyncio.to_thread(_generate, engine, [one.request])
            except Exception as error:
                outputs.append(error)
        return outputs


def _generate(engine: Any, requests: list[Request]) -> list[Any]:
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    parameters = [
        SamplingParams(
            temperature=request.sampling.temperature,
            top_p=request.sampling.top_p,
            max_tokens=request.sampling.max_tokens,
            seed=request.seed,
            structured_outputs=StructuredOutputsParams(json=dict(request.schema)),
        )
        for request in requests
    ]
    outputs: list[Any] = engine.chat([request.messages() for request in requests], parameters, use_tqdm=False)
    return outputs


def _settle(answer: asyncio.Future[Reply], output: Any) -> None:
    if answer.done():
        return
    if isinstance(output, Exception):
        reason = "refused" if isinstance(output, ValueError) else "engine_error"
        answer.set_exception(RequestFailedError(reason, " ".join(str(output).split())[:200]))
        return
    first = output.outputs[0]
    answer.set_result(Reply(first.text, first.finish_reason, len(output.prompt_token_ids or ()), len(first.token_ids)))
