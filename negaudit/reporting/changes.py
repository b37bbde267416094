"""Two runs of the same contract side by side: what changed from the one to the other, or why they cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from negaudit.errors import NegauditError
from negaudit.reporting.decision import decide
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import PROFILE, check_of

# What must be equal for a number of one run to mean the same in the other, besides the encoder and the idf table's fingerprint.
SETTINGS = ("tokenizer", "tau")


@dataclass(frozen=True, slots=True)
class Shift:
    """One statistic of one source before and after; `beyond` is whether the two intervals are apart."""

    source: str
    statistic: str
    before: float
    after: float
    before_interval: tuple[float, ...]
    after_interval: tuple[float, ...]
    beyond: bool


@dataclass(frozen=True)
class Changes:
    """What changed from one run to another: sources that came and went, statistics, verdicts and checks, and the two headlines."""

    before: str
    after: str
    headlines: tuple[str, str]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    shifts: tuple[Shift, ...]
    turned: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """Return the changes as JSON-ready data."""
        return {"schema": "negaudit.changes/1", **asdict(self)}


def changes(before: SavedRun, after: SavedRun) -> Changes:
    """Return what changed; raises NegauditError that names each difference where the runs are not of one contract."""
    refuse_different_contracts(before, after)
    old, new = set(before.sources), set(after.sources)
    both = [name for name in after.names if name in old]
    return Changes(
        before=before.name,
        after=after.name,
        headlines=(decide(before).headline, decide(after).headline),
        added=tuple(sorted(new - old)),
        removed=tuple(sorted(old - new)),
        shifts=tuple(shift for name in both for shift in _shifts(name, before, after)),
        turned=tuple(line for name in both for line in _turned(name, before, after)),
        notes=tuple(_notes(before, after)),
    )


def change_lines(found: Changes) -> list[str]:
    """Return what changed between two runs in sentences, the statistics left out."""
    lines = [f"before ({found.before}): {found.headlines[0]}", f"after ({found.after}): {found.headlines[1]}"]
    lines += [f"{what}: {', '.join(names)}" for what, names in (("new sources", found.added), ("gone", found.removed)) if names]
    lines += [*found.turned, *found.notes]
    return lines if found.shifts or len(lines) > 2 else [*lines, "nothing changed: every statistic of every source is the same"]


def refuse_different_contracts(before: SavedRun, after: SavedRun) -> None:
    """Raise NegauditError with the name of every setting in which the two runs differ and their numbers therefore do not compare."""
    old, new = _contract(before), _contract(after)
    differ = [f"{key}: {old.get(key, 'none')} and {new.get(key, 'none')}" for key in {**old, **new} if old.get(key) != new.get(key)]
    if differ:
        advice = (
            "; with --idf saved:DIR a run takes over another's idf" if any(part.startswith("idf fingerprint") for part in differ) else ""
        )
        raise NegauditError(
            f"{before.name} and {after.name} were not measured alike and cannot be compared ({'; '.join(differ)}); "
            f"score one of them again with the settings of the other{advice}"
        )


def _contract(run: SavedRun) -> dict[str, Any]:
    config, lexical, encoder = run.summary["config"], run.summary["lexical"], run.summary["encoder"]
    parts = {key: config.get(key) for key in SETTINGS} | {"idf fingerprint": lexical.get("fingerprint")}
    return parts | ({f"encoder {key}": value for key, value in encoder.items()} if encoder else {"encoder": None})


def _shifts(name: str, before: SavedRun, after: SavedRun) -> Iterator[Shift]:
    old, new = before.sources[name], after.sources[name]
    for statistic in PROFILE:
        if old.get(statistic.key) is None or new.get(statistic.key) is None or old[statistic.key] == new[statistic.key]:
            continue
        held, holds = (tuple(source.get("intervals", {}).get(statistic.key) or ()) for source in (old, new))
        apart = bool(held and holds) and (held[1] < holds[0] or holds[1] < held[0])
        yield Shift(name, statistic.short, old[statistic.key], new[statistic.key], held, holds, apart)


def _turned(name: str, before: SavedRun, after: SavedRun) -> Iterator[str]:
    """Yield a sentence for each judgement of a source that is another one now: role, verdict, flags, severities of checks."""
    old, new = before.audited(name), after.audited(name)
    pairs: list[tuple[Any, Any, Any]] = [("role", before.role(name), after.role(name))]
    pairs.append(("verdict", old.get("verdict", {}).get("usable"), new.get("verdict", {}).get("usable")))
    for statistic in PROFILE:
        first, second = ("outside the envelope" if statistic.key in side.get("flags", {}) else "inside the envelope" for side in (old, new))
        pairs.append((statistic.short, first, second))
    was, now = before.checks(name), after.checks(name)
    pairs += [(check_of(check).title, _severity(was, check), _severity(now, check)) for check in dict.fromkeys([*was, *now])]
    for what, first, second in pairs:
        if first != second:
            yield f"{name}: {what} was {first or 'not audited'}, is {second or 'not audited'}"


def _severity(checks: Mapping[str, Mapping[str, Any]], check: str) -> str:
    return str(checks[check].get("severity")) if check in checks else "not tried"


def _notes(before: SavedRun, after: SavedRun) -> Iterator[str]:
    for key in ("sample", "seed", "replicates"):
        first, second = before.summary["config"].get(key), after.summary["config"].get(key)
        if first != second:
            yield f"{key} was {first}, is {second}: other records may have been drawn"
    for name in after.names:
        if name in before.sources:
            first, second = (run.sources[name]["negatives"]["scored"] for run in (before, after))
            if first != second:
                yield f"{name}: {first:,} negatives were scored, now {second:,}"
