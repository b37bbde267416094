"""All checks on all sources: one that fails is `not_run` with its reason and leaves the others as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from negaudit.auditing.check_profile import CheckProfile, load_profile
from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import CannotRunError, Check, Finding
from negaudit.auditing.checks.pool import Pool, pool_of
from negaudit.auditing.checks.registry import all_checks
from negaudit.auditing.checks.sample import Sample, take_sample
from negaudit.auditing.record_sums import LEAST_RECORDS, RecordSums
from negaudit.auditing.severity import graded, rank
from negaudit.data.collection import Collection
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig
from negaudit.text.tokenizers import get_tokenizer

if TYPE_CHECKING:
    from negaudit.encoding.encoder import FrozenEncoder

NEEDS = {"encoder": "it needs an encoder; give --encoder", "collection": "it needs the qrels and the corpus; give --dataset"}
Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CheckRun:
    """What is fixed for all sources of a run."""

    sources: Mapping[str, NegativeSource]
    config: ScoreConfig = field(default_factory=ScoreConfig)
    encoder: FrozenEncoder | None = None
    collection: Collection | None = None
    profile: CheckProfile = field(default_factory=load_profile)
    lexical: bool = True
    checks: Mapping[str, type[Check]] = field(default_factory=all_checks)


@dataclass(frozen=True)
class Outcome:
    """One check on one source: its summary, what it found (None: not run) and the sums per record that comparisons are made of."""

    summary: dict[str, Any]
    finding: Finding | None = None
    sums: RecordSums | None = None


@dataclass(frozen=True)
class CheckedSource:
    """One source's sample and the outcome of each check on it, by name."""

    sample: Sample
    outcomes: Mapping[str, Outcome]


def run_checks(run: CheckRun, report: Report | None = None) -> Iterator[CheckedSource]:
    """Yield the sources one after the other, each with the outcome of every check; one source's sample is held at a time."""
    drawn_from = [source for source in run.sources.values() if source.role != "control"] or list(run.sources.values())
    limit = int(run.profile.of("unrelated")["pool"])
    pool: Callable[[], Pool] = cache(lambda: pool_of(run.collection, drawn_from, limit, run.config.seed, run.encoder))
    shared: dict[str, Any] = {}
    for source in run.sources.values():
        context = _context(run, source, pool, shared)
        outcomes = {}
        for done, (name, check) in enumerate(run.checks.items()):
            if report:
                report(f"checking {source.name}: {name}", done, len(run.checks))
            outcomes[name] = run_check(check(), context, run.config.replicates)
        yield CheckedSource(context.sample, outcomes)


def _context(run: CheckRun, source: NegativeSource, pool: Callable[[], Pool], shared: dict[str, Any]) -> CheckContext:
    tokenizer, config = get_tokenizer(run.config.tokenizer), run.config
    sample = take_sample(source, tokenizer, config.sample, config.seed)
    return CheckContext(sample, pool, run.profile, tokenizer, run.encoder, run.collection, config.tau, config.seed, run.lexical, shared)


def run_check(check: Check, context: CheckContext, replicates: int) -> Outcome:
    """Return the outcome of one check; whatever it raises becomes `not_run` with the reason."""
    missing = [need for need in ("encoder", "collection") if need in check.needs and getattr(context, need) is None]
    if missing:
        return not_run("; ".join(NEEDS[need] for need in missing))
    try:
        finding = check.run(context)
        if not len(finding.values) == len(finding.flags) == len(context.sample):
            raise ValueError(f"it gave {len(finding.values)} values and {len(finding.flags)} flags for {len(context.sample)} negatives")
        return _summarised(check.name, finding, context, replicates)
    except (CannotRunError, NegauditError) as error:
        return not_run(str(error))
    except Exception as error:  # a fault in one check must not cost the others
        return not_run(f"it failed: {type(error).__name__}: {' '.join(str(error).split())}")


def not_run(reason: str) -> Outcome:
    """Return the outcome of a check that has nothing to say."""
    empty = dict.fromkeys(("value", "interval", "threshold", "count"))
    return Outcome({"severity": "not_run", **empty, "reason": reason})


def _summarised(name: str, finding: Finding, context: CheckContext, replicates: int) -> Outcome:
    sums = RecordSums.of(finding, context.sample)
    count = int(finding.flags.sum())
    if finding.measured is not None:
        value, interval = finding.measured.value, finding.measured.interval
    elif not sums.total:
        return not_run("it applies to none of the negatives")
    else:
        value, interval = _cut(sums.mean(), sums.interval(replicates, context.seed), finding.ceiling)
    low = value if interval is None else interval[0]
    few = len(context.sample.rows) < LEAST_RECORDS
    severity, threshold = graded(value, low, context.profile.of(name), min(finding.most, "info", key=rank) if few else finding.most)
    severity = severity if few else max(severity, finding.least, key=rank)
    summary = {
        "severity": severity,
        "value": value,
        "interval": None if interval is None else list(interval),
        "threshold": threshold if threshold is not None else first_threshold(context.profile.of(name)),
        "count": count,
        "reason": finding.reason + (f"; {len(context.sample.rows)} records are too few to say more than info" if few else ""),
        "details": dict(finding.details),
    }
    if not np.isfinite(value):
        raise ValueError(f"its value is {value}")
    return Outcome(summary, finding, sums if finding.measured is None else None)


def _cut(value: float, interval: tuple[float, float] | None, ceiling: float | None) -> tuple[float, tuple[float, float] | None]:
    if ceiling is None:
        return value, interval
    return min(value, ceiling), interval and (min(interval[0], ceiling), min(interval[1], ceiling))


def first_threshold(settings: Mapping[str, float]) -> float | None:
    """Return the mildest threshold there is, the one that a value of severity ok stayed below."""
    return next((settings[level] for level in ("info", "warn", "error") if level in settings), None)
