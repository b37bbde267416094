"""The records that a control starts from: all of one source, each with its key and reachable by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from negaudit.data.record import Record
from negaudit.data.source import NegativeSource

Key = tuple[str, int]


class Base:
    """A source in memory. A record's key is its query id and how many records of that id come before it.

    Records are also numbered by key (`in_key_order`), so that a number means the same record whatever the row order.
    """

    def __init__(self, source: NegativeSource) -> None:
        self._table = source.to_table()
        self.source = replace(source, content=self._table)
        self.fingerprint = self.source.fingerprint()
        seen: Counter[str] = Counter()
        self.keys: list[Key] = []
        for query_id in self._table["query_id"].to_pylist():
            self.keys.append((query_id, seen[query_id]))
            seen[query_id] += 1
        self._order = np.array(sorted(range(len(self.keys)), key=self.keys.__getitem__), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.keys)

    def records(self) -> Iterator[tuple[Key, Record]]:
        """Yield (key, record) in row order."""
        return zip(self.keys, self.source.records(), strict=True)

    def in_key_order(self, number: int) -> Record:
        """Return the record at this place in the order of keys, 0 <= number < len(base)."""
        row = int(self._order[number])
        one = replace(self.source, content=self._table.slice(row, 1), num_records=1)
        return next(one.records())
