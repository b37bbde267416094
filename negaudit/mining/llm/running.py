"""The run itself: as many records in progress as the back end wants, each journaled when it is finished."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from negaudit.data.collection import LabelledQuery
from negaudit.errors import NegauditError
from negaudit.mining.llm.dialogue import Dialogue, Order, echoes_of
from negaudit.mining.llm.exchange import Backend, Complete, RequestFailedError
from negaudit.mining.llm.journal import Journal, Written
from negaudit.mining.llm.pace import Pace

# So many records in a row without an answer, and none before: the fault is not theirs.
PATIENCE = 32


class Run:
    """Asks a back end for the records of `queries` that the journal lacks, until all are there or the token budget is spent.

    `left` counts the records that were not finished, by reason: budget, or why their request failed.
    """

    def __init__(self, order: Order, backend: Backend, journal: Journal, pace: Pace, budget: int | None) -> None:
        self._order = order
        self._backend = backend
        self._journal = journal
        self._pace = pace
        self._budget = budget
        self._spent = journal.unfinished.tokens + sum(written.tally.tokens for written in journal.finished.values())
        self._echoes = echoes_of(order.prompt)
        self._failures_in_a_row = 0
        self._last: RequestFailedError | None = None
        self.left: Counter[str] = Counter()

    def over(self, queries: Sequence[LabelledQuery], report: Callable[[Pace], None]) -> None:
        """Work through `queries`. Raises NegauditError where the back end answers nothing; what is finished stays in the journal."""
        missing = [query for query in queries if query.query_id not in self._journal.finished]
        if missing and not self._budget_spent():
            _run(self._all(missing, report))
        if missing and not self._journal.finished and self._last is not None and not self.left["budget"]:
            raise NegauditError(f"no request got an answer (the last: {self._last}); once the model answers, run the same command")
        unseen = sum(query.query_id not in self._journal.finished for query in missing) - self.left.total()
        if unseen:
            self.left["budget"] += unseen

    async def _all(self, queries: Sequence[LabelledQuery], report: Callable[[Pace], None]) -> None:
        waiting = iter(queries)
        async with self._backend.opened() as complete:
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self._backend.in_flight, len(queries))):
                        workers.create_task(self._work(waiting, complete, report))
            except* NegauditError as group:
                raise _first(group) from None

    async def _work(self, waiting: Iterator[LabelledQuery], complete: Complete, report: Callable[[Pace], None]) -> None:
        while not self._budget_spent() and (query := next(waiting, None)) is not None:
            dialogue = Dialogue(self._order, query, self._echoes)
            reason = await self._converse(dialogue, complete)
            self._pace.tally.add(dialogue.tally)
            if reason is None:
                await self._journal.finish(Written(query.query_id, tuple(dialogue.passages), dialogue.tally))
                self._pace.done += 1
            else:
                await self._journal.abandon(dialogue.tally)
                self.left[reason] += 1
                self._pace.unfinished += 1
            report(self._pace)

    async def _converse(self, dialogue: Dialogue, complete: Complete) -> str | None:
        """Ask until the record is finished; return the reason where it cannot be."""
        while not dialogue.finished:
            if self._budget_spent():
                return "budget"
            before = dialogue.tally.tokens
            try:
                await dialogue.ask(complete)
            except RequestFailedError as error:
                self._lose_patience(error)
                return error.reason
            self._failures_in_a_row, self._last = 0, None
            self._spent += dialogue.tally.tokens - before
        return None

    def _lose_patience(self, error: RequestFailedError) -> None:
        self._failures_in_a_row += 1
        self._last = error
        if self._failures_in_a_row >= PATIENCE:
            raise NegauditError(
                f"{self._failures_in_a_row} requests in a row got no answer (the last: {error}); what is finished is in the journal: "
                "once the model answers again, run the same command"
            )

    def _budget_spent(self) -> bool:
        return self._budget is not None and self._spent >= self._budget


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end, in a thread of its own where this one already has a running loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    """Return one of the errors in a group: where one request is hopeless, the others say the same."""
    error: BaseException = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
