"""One record of a hybrid: negatives of several sources in turn, copies merged, every one accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from negaudit.data.metadata import Account
from negaudit.data.record import Negative, Record
from negaudit.text.folding import folded


@dataclass
class Contribution:
    """What became of a source's negatives: read = used + merged into an earlier one + positives + repeats + beyond the budget."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, counts: Counter[str]) -> None:
        """Add one record's counts, `read` and `used` among them."""
        self.counts.update(counts)

    def account(self) -> Account:
        """Return the account."""
        rejected = {reason: count for reason, count in self.counts.items() if reason not in ("read", "used") and count}
        return Account(self.counts["read"], self.counts["used"], rejected)


class _Turns:
    """A source's negatives of one record, handed out until `k` of them were."""

    def __init__(self, record: Record, labels: Mapping[str, str], k: int | None) -> None:
        self.counts = Counter({"read": len(record.negatives)})
        self.left: Iterator[Negative] = iter(record.negatives)
        self.k = k
        self._labels = labels
        self._handed = 0
        self._seen: set[str] = set()

    def next(self, positive_ids: set[str], positives: set[str]) -> Negative | None:
        """Return the next that is neither a positive nor a repeat, None where there is none left to give."""
        if self.k is not None and self._handed == self.k:
            return None
        for negative in self.left:
            text = folded(negative.text)
            if negative.id in positive_ids or text in positives:
                self.counts["positive"] += 1
            elif text in self._seen:
                self.counts["repeat"] += 1
            else:
                self._seen.add(text)
                self._handed += 1
                return replace(negative, origin=self._labels[negative.origin])
        return None


def merged_record(
    found: Mapping[str, Record], labels: Mapping[str, Mapping[str, str]], k: int | None, total: int | None
) -> tuple[Record, dict[str, Counter[str]], Counter[str]]:
    """Return (the record, each source's counts, how many negatives each joined origin has).

    Sources take turns; one whose negative was there already takes another turn where a `total` is to be filled.
    """
    first = next(iter(found.values()))
    positive_ids, positives = set(first.positive_ids) - {None}, {folded(text) for text in first.positives}
    turns = {source: _Turns(record, labels[source], k) for source, record in found.items()}
    kept: dict[str, Negative] = {}
    waiting = list(turns)
    while waiting and (total is None or len(kept) < total):
        for source in list(waiting):
            if total is not None and len(kept) >= total:
                break
            if not _take(turns[source], kept, {i for i in positive_ids if i is not None}, positives, again=total is not None):
                waiting.remove(source)
    for turn in turns.values():
        turn.counts["beyond_k" if total is None else "beyond_total"] += sum(1 for _ in turn.left)
    joined = Counter(negative.origin for negative in kept.values() if "+" in negative.origin)
    return replace(first, negatives=tuple(kept.values())), {source: turn.counts for source, turn in turns.items()}, joined


def _take(turn: _Turns, kept: dict[str, Negative], positive_ids: set[str], positives: set[str], *, again: bool) -> bool:
    """Take the source's next negative into `kept`; return False where it has none."""
    while (negative := turn.next(positive_ids, positives)) is not None:
        text = folded(negative.text)
        if text not in kept:
            kept[text] = negative
            turn.counts["used"] += 1
            return True
        turn.counts["merged"] += 1
        if negative.origin not in kept[text].origin.split("+"):
            kept[text] = replace(kept[text], origin=f"{kept[text].origin}+{negative.origin}")
        if not again:
            return True
    return False
