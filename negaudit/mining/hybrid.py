"""Hybrids: the negatives of several sources for the same queries in one, each with its origin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from negaudit.data.metadata import Account, SourceMetadata
from negaudit.data.record import Record
from negaudit.data.source import NegativeSource, by_name
from negaudit.errors import NegauditError, unknown_name
from negaudit.mining.hybrid_record import Contribution, merged_record
from negaudit.mining.paired_records import paired_records

Unmatched = Literal["keep", "drop"]
UNMATCHED = ("keep", "drop")


def mine_hybrid(
    sources: Sequence[NegativeSource] | Mapping[str, NegativeSource],
    *,
    k: int | None = None,
    total: int | None = None,
    unmatched: Unmatched = "keep",
    require_total: bool = False,
    name: str = "hybrid",
) -> NegativeSource:
    """Return the union of `sources`, record by record: `k` negatives from each (default all), or `total` in all, taken in turn.

    Records pair by query id and folded query (the n-th of a repeated one with the n-th), in the first source's order; positives are the
    first source's that has the record. A negative that is one of them by id or folded text is left out. One that several sources name (by
    folded text) is kept once, with rank, score and id of the first and the origins joined ("bm25+dense"): `k` then gives fewer, while
    under `total` (the budget-matched form, for comparing with single sources of that size) the next in turn fills its place. Sources take
    turns in the order given, so an odd budget favours the first. `unmatched` says what becomes of queries that not every source has;
    `require_total` drops records below `total`. Everything is counted per source, and per record for the result.
    The role is "control" where a source's is. Raises NegauditError for fewer than two sources and options out of range.
    """
    named = dict(sources) if isinstance(sources, Mapping) else by_name(sources)
    _check(len(named), k, total, unmatched, require_total)
    hybrid = _Hybrid(named, k, total, unmatched, require_total)
    source = NegativeSource.from_records(hybrid.records(), SourceMetadata(name))
    return replace(source, metadata=hybrid.metadata(name))


class _Hybrid:
    """Merges the records of `named` sources and counts what becomes of everything."""

    def __init__(self, named: Mapping[str, NegativeSource], k: int | None, total: int | None, unmatched: Unmatched, whole: bool) -> None:
        self._named = named
        self._k, self._total, self._unmatched, self._whole = k, total, unmatched, whole
        self._labels = _labels(named)
        self._negatives = {source: Contribution() for source in named}
        self._records = Counter[str]()
        self._joined = Counter[str]()

    def records(self) -> Iterator[Record]:
        """Yield the merged records."""
        for found in paired_records(self._named):
            self._records["read"] += 1
            matched = len(found) == len(self._named)
            self._records["unmatched"] += not matched
            if not matched and self._unmatched == "drop":
                self._drop(found, "unmatched")
                continue
            record, counts, joined = merged_record(found, self._labels, self._k, self._total)
            if self._whole and self._total is not None and len(record.negatives) < self._total:
                self._drop(found, "short_of_total")
                continue
            self._records["short"] += self._total is not None and len(record.negatives) < self._total
            self._records["positives_differ"] += len({frozenset(one.positives) for one in found.values()}) > 1
            self._records["used"] += 1
            for source, count in counts.items():
                self._negatives[source].add(count)
            self._joined.update(joined)
            yield record

    def metadata(self, name: str) -> SourceMetadata:
        """Return the metadata of the merged source, once all records were taken."""
        negatives = {f"negatives of {source}": count.account().as_dict() for source, count in self._negatives.items()}
        rejected = {reason: self._records[f"dropped {reason}"] for reason in ("unmatched", "short_of_total")}
        queries = Account(self._records["read"], self._records["used"], {reason: count for reason, count in rejected.items() if count})
        control = any(source.role == "control" for source in self._named.values())
        return SourceMetadata(
            name,
            "control" if control else "candidate",
            origins=self._origins(),
            inputs={f"source {source}": self._named[source].fingerprint() for source in self._named},
            counts={"queries": queries.as_dict(), **negatives},
            details={
                "sources": list(self._named),
                **{option: value for option, value in (("k", self._k), ("total", self._total)) if value is not None},
                "unmatched": self._unmatched,
                "merged": dict(sorted(self._joined.items())),
                "records": {what: self._records[what] for what in ("unmatched", "positives_differ", "short")},
            },
        )

    def _drop(self, found: Mapping[str, Record], reason: str) -> None:
        self._records[f"dropped {reason}"] += 1
        for source, record in found.items():
            self._negatives[source].add(Counter({"read": len(record.negatives), reason: len(record.negatives)}))

    def _origins(self) -> dict[str, dict[str, Any]]:
        made: dict[str, dict[str, Any]] = {}
        for source, labels in self._labels.items():
            made.update({label: dict(self._named[source].metadata.origins.get(origin, {})) for origin, label in labels.items()})
        joined = {label: {"method": "merged", "of": label.split("+")} for label in self._joined}
        return {**made, **joined}


class _Labels(dict[str, str]):
    """A source's origins by what they are called in the hybrid; an origin that its metadata does not name keeps its name."""

    def __missing__(self, origin: str) -> str:
        self[origin] = origin
        return origin


def _labels(named: Mapping[str, NegativeSource]) -> dict[str, _Labels]:
    """Return what each source's origins are called: as they are, with the source's name in front where two made differently share one."""
    made: dict[str, list[Any]] = {}
    for source in named.values():
        for origin, how in source.metadata.origins.items():
            ways = made.setdefault(origin, [])
            if how not in ways:
                ways.append(how)
    clashing = {origin for origin, ways in made.items() if len(ways) > 1}
    return {
        name: _Labels({origin: f"{name}:{origin}" if origin in clashing else origin for origin in source.metadata.origins})
        for name, source in named.items()
    }


def _check(sources: int, k: int | None, total: int | None, unmatched: str, require_total: bool) -> None:
    if sources < 2:
        raise NegauditError(f"a hybrid of {sources} source: expected two or more")
    if k is not None and total is not None:
        raise NegauditError("k and total are both given: choose k from each source, or a total for the record")
    for option, value in (("k", k), ("total", total)):
        if value is not None and value < 1:
            raise NegauditError(f"{option} is {value}: expected at least 1 negative")
    if require_total and total is None:
        raise NegauditError("require total is set without a total; give --total as well")
    if unmatched not in UNMATCHED:
        raise unknown_name("choice for unmatched queries", unmatched, UNMATCHED)
