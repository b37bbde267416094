"""One record's negatives: asked for, read, checked, and asked for again as far as they are missing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from negaudit.data.collection import LabelledQuery
from negaudit.mining.llm.checking import Lengths, PassageCheck, PassageRejectedError, word_runs
from negaudit.mining.llm.exchange import Complete, Request, RequestFailedError, Sampling
from negaudit.mining.llm.journal import Passage
from negaudit.mining.llm.likeness import Likeness
from negaudit.mining.llm.parsing import Draft, UnusableAnswerError, drafts
from negaudit.mining.llm.prompt import Prompt
from negaudit.mining.llm.tally import Tally
from negaudit.text.scripts import unsegmented_share

# Longer limits make grammars that servers compile for seconds, or refuse.
LONGEST_IN_SCHEMA = 1000
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Order:
    """What is ordered for every record: `k` passages within `lengths`, in at most `attempts` requests.

    Of a positive the model is shown the first `positive_characters` (whole words).
    """

    prompt: Prompt
    sampling: Sampling
    lengths: Lengths
    k: int
    attempts: int
    seed: int
    positive_characters: int

    def request(self, query: LabelledQuery, accepted: list[Passage], attempt: int) -> Request:
        """Return the request for the passages that are missing; the seed depends on seed, query and attempt alone."""
        missing = self.k - len(accepted)
        positive = _cut(query.positives[0], self.positive_characters)
        user = self.prompt.user(query.query, positive, [one.text for one in accepted], k=missing, length=_length(query.positives[0]))
        digest = hashlib.blake2b(f"{self.seed}\0{query.query_id}\0{attempt}".encode(), digest_size=4).digest()
        longest = self.lengths.most if self.lengths.most <= LONGEST_IN_SCHEMA else None
        return Request(self.prompt.system(missing), user, self.prompt.schema(missing, longest), self.sampling, int.from_bytes(digest) >> 1)


class Dialogue:
    """The asking for one record. `passages` and `tally` grow as answers come in."""

    def __init__(self, order: Order, query: LabelledQuery, echoes: frozenset[tuple[str, ...]]) -> None:
        self.query = query
        self.passages: list[Passage] = []
        self.tally = Tally()
        self._order = order
        self._attempt = 0
        self._check = PassageCheck(query, echoes, order.lengths)

    @property
    def finished(self) -> bool:
        """Whether all passages are there, or all attempts are used."""
        return len(self.passages) >= self._order.k or self._attempt >= self._order.attempts

    async def ask(self, complete: Complete) -> None:
        """Ask once for what is missing, and keep what passes the checks. Raises what `complete` raises, counted."""
        request = self._order.request(self.query, self.passages, self._attempt)
        self.tally.asked += 1
        try:
            reply = await complete(request)
        except RequestFailedError as error:
            self.tally.failed[error.reason] += 1
            self.tally.retried.update(error.retries)
            raise
        self._attempt += 1
        self.tally.reply(reply)
        try:
            found = drafts(reply, self._order.prompt.kinds)
        except UnusableAnswerError as error:
            self.tally.failed[str(error)] += 1
            return
        self.tally.answered += 1
        self._take(found)

    def _take(self, found: list[Draft]) -> None:
        self.tally.read += len(found)
        for draft in found:
            if len(self.passages) == self._order.k:
                self.tally.rejected["surplus"] += 1
                continue
            try:
                self.passages.append(Passage(self._check.accept(draft), draft.kind))
                self.tally.accepted += 1
            except PassageRejectedError as error:
                self.tally.rejected[str(error)] += 1


def echoes_of(prompt: Prompt) -> frozenset[tuple[str, ...]]:
    """Return the runs of words by which a passage gives away that it repeats the prompt."""
    return word_runs(Likeness.of(prompt.own_words()).words)


def _cut(text: str, characters: int) -> str:
    """Return the beginning of `text`, at most so many characters and, where it has spaces, whole words."""
    if len(text) <= characters:
        return text
    head = text[:characters]
    spaces = [match.start() for match in _SPACE.finditer(head)]
    return f"{head[: spaces[-1]] if spaces and spaces[-1] > characters // 2 else head} …"


def _length(text: str) -> str:
    """Return how long `text` is, in words to say so in a prompt."""
    if unsegmented_share([text]) > 0.5:
        return f"about {len(text)} characters"
    return f"about {len(text.split())} words"
