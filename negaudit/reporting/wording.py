"""Plain words for what was measured: statistics, roles, severities and checks, for readers who have not read the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Unit = Literal["share", "auc", "number"]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of a source's profile: its short name, what it is, and on which side of the envelope it is flagged."""

    key: str
    short: str
    meaning: str
    above: bool = True


PROFILE = (
    Statistic("mean_psi", "psi", "share of the query's words, weighted by rarity, that the negatives do not contain"),
    Statistic("mean_rho", "rho", "how clearly the frozen encoder prefers the positive to the negative"),
    Statistic("mean_eta", "eta", "how much nearer the negative lies to the positive than to the query"),
    Statistic("inversion_rate", "inversion", "share of negatives that the frozen encoder ranks above the positive", above=False),
)


@dataclass(frozen=True, slots=True)
class Severity:
    """A severity with a sign, so that nothing is told by colour alone."""

    key: str
    sign: str
    word: str


SEVERITIES = {
    s.key: s
    for s in (
        Severity("ok", "✓", "nothing found"),
        Severity("info", "i", "worth knowing"),
        Severity("warn", "!", "warning"),
        Severity("error", "✕", "fault"),
        Severity("not_run", "–", "not run"),
    )
}
ROLE_SIGNS = {"genuine": "●", "candidate": "◆", "control": "▲"}
ROLE_WORDS = {"genuine": "known good, by your word", "candidate": "under review", "control": "built to be bad in a known way"}


@dataclass(frozen=True, slots=True)
class Check:
    """How one check of the audit is shown: its title, what it looks for, and the unit of its value."""

    title: str
    looks_for: str
    unit: Unit = "share"


CHECKS = {
    "unrelated": Check("unrelated", "negatives that look like passages drawn at random"),
    "own_positive": Check("own positive", "negatives that are copies, or nearly, of the record's own positive"),
    "label_conflict": Check("label conflict", "negatives that were judged relevant for this very query"),
    "cross_positive": Check("another query's positive", "negatives that are the labelled positive of another query"),
    "neighbor": Check("neighbours of the positive", "negatives that lie unusually near the positive"),
    "false_negative_risk": Check("risk of false negatives", "negatives that the encoder puts near the positive; a risk, not a judgement"),
    "repeats": Check("repeats", "the same negative twice in one record"),
    "query_echo": Check("query echo", "negatives that repeat the query"),
    "too_easy": Check("too easy", "negatives that the encoder tells apart at once (rho above 0.99)"),
    "short": Check("short", "negatives of too few words"),
    "truncated": Check("truncated", "negatives that end in the middle"),
    "encoding": Check("broken characters", "negatives with characters that were decoded wrongly"),
    "script": Check("foreign script", "negatives in another script than the positives"),
    "surface_leak": Check("surface leak", "whether length and punctuation alone tell negatives from positives; 0.5 is good", "auc"),
    "hubs": Check("hubs", "passages that are used in very many records"),
    "diversity": Check("diversity", "whether the negatives point in many directions or in few", "number"),
}


def check_of(name: str) -> Check:
    """Return how the check `name` is shown; one that is not known here is shown under its own name."""
    return CHECKS.get(name, Check(name.replace("_", " "), "a check of this audit", "number"))


def number(value: Any, digits: int = 3) -> str:
    """Return a number to `digits` decimals, a whole one as it is with its thousands, anything missing as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.{digits}f}"


def percent(value: float) -> str:
    """Return a share in per cent, to one decimal below ten."""
    scaled = 100 * value
    return f"{scaled:.1f} %" if 0 < abs(scaled) < 9.95 else f"{scaled:.0f} %"


def measured(value: Any, unit: Unit) -> str:
    """Return a check's value in its unit."""
    return percent(value) if unit == "share" and isinstance(value, int | float) and not isinstance(value, bool) else number(value)


def interval_words(interval: Sequence[Any] | None, unit: Unit = "number") -> str:
    """Return a 95 % interval in its unit, nothing where there is none."""
    if not interval or None in interval:
        return ""
    low, high = (measured(end, unit) for end in interval)
    return f"{low.removesuffix(' %')} to {high}"


def joined(names: Sequence[str], last: str = "and") -> str:
    """Return names as a list in a sentence."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def scored(counts: Mapping[str, Any]) -> str:
    """Return the scored count, with its denominator where it is not all that was read."""
    return f"{counts['scored']:,}" if counts["scored"] == counts["read"] else f"{counts['scored']:,} of {counts['read']:,}"
