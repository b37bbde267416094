"""Fixtures of the checks' tests: records made by hand, and the mined sources and controls of the real collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from negaudit.auditing.check_profile import load_profile
from negaudit.auditing.comparison import sums_of
from negaudit.auditing.record_sums import RecordSums
from negaudit.auditing.run_checks import CheckRun, Outcome, run_checks
from negaudit.controls.builder import build_controls
from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.mining.bm25 import mine_bm25
from negaudit.mining.dense import mine_dense
from tests.encoders import embedding_cache, packaged_encoder  # noqa: F401

SPLITS = {"scifact": "train"}
GENUINE = ("bm25", "dense", "hybrid")
MakeRecord = Callable[..., Record]


def by_hand(*records: tuple[str, list[str], list[str]], name: str = "byhand") -> NegativeSource:
    """Return a source of (query, positives, negatives); ids of negatives are their texts."""
    made = [
        Record(f"q{i}", query, tuple(positives), tuple(Negative(text, "x", id=f"d {text}") for text in negatives))
        for i, (query, positives, negatives) in enumerate(records)
    ]
    return NegativeSource.from_records(made, SourceMetadata(name))


def outcomes_of(source: NegativeSource, **settings: Any) -> Mapping[str, Outcome]:
    """Return the outcomes of all checks on one source."""
    checked = list(run_checks(CheckRun({source.name: source}, **settings)))
    assert len(checked) == 1
    return checked[0].outcomes


def hybrid(first: NegativeSource, second: NegativeSource) -> NegativeSource:
    """Return the union of two sources of the same queries, per query."""
    others = {record.query_id: record for record in second.records()}
    records = [replace(record, negatives=_union(record, others[record.query_id])) for record in first.records()]
    return NegativeSource.from_records(records, SourceMetadata("hybrid"))


def _union(one: Record, other: Record) -> tuple[Negative, ...]:
    found = {negative.id: negative for negative in (*one.negatives, *other.negatives)}
    return tuple(found.values())


@dataclass(frozen=True)
class Mined:
    """A collection with its mined sources and, by the same names, the eight controls of its BM25 source."""

    collection: Collection
    sources: Mapping[str, NegativeSource]
    controls: Mapping[str, NegativeSource]


@dataclass(frozen=True)
class Audited:
    """What the checks said of every source of a collection: summaries and sums by source and check."""

    mined: Mined
    summaries: Mapping[str, Mapping[str, dict[str, Any]]]
    sums: Mapping[str, Mapping[str, RecordSums]]


@pytest.fixture(scope="session")
def mined(shared_data: Path, packaged_encoder: FrozenEncoder) -> Callable[[str], Mined]:  # noqa: F811
    """A function that mines a real collection by its name, once."""

    @cache
    def mine(name: str) -> Mined:
        collection = open_collection(shared_data / name, split=SPLITS.get(name, "test"))
        found = {"bm25": mine_bm25(collection), "dense": mine_dense(collection, encoder=packaged_encoder)}
        found["hybrid"] = hybrid(found["bm25"], found["dense"])
        return Mined(collection, found, build_controls(found, collection=collection, encoder=packaged_encoder))

    return mine


@pytest.fixture(scope="session")
def audited(mined: Callable[[str], Mined], packaged_encoder: FrozenEncoder) -> Callable[[str], Audited]:  # noqa: F811
    """A function that runs all checks on the sources and controls of a collection, once."""

    @cache
    def run(name: str) -> Audited:
        found = mined(name)
        everything = {**found.sources, **found.controls}
        summaries, sums = {}, {}
        for checked in run_checks(
            CheckRun(everything, encoder=packaged_encoder, collection=found.collection, profile=load_profile("default"))
        ):
            summaries[checked.sample.name] = {check: outcome.summary for check, outcome in checked.outcomes.items()}
            sums[checked.sample.name] = sums_of(checked.outcomes)
        return Audited(found, summaries, sums)

    return run
