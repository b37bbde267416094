"""What is wrong with the sources that were not chosen, and what nobody judged, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from negaudit.reporting.saved_run import OPTIONAL, SavedRun
from negaudit.reporting.wording import check_of, counted, interval_words, joined, measured, number

USABLE_WORDS = {
    "yes": "usable, second choice",
    "with care": "usable with care",
    "no": "not usable",
    "undecidable": "not decided",
    "control": "control",
}
IN_SHORT = {
    "yes": "Usable, second choice",
    "with care": "With care only",
    "no": "Not usable",
    "undecidable": "Not decided",
    "control": "Bad on purpose, to test the audit",
}
FAULTS = 3  # of one source that the decision names; all are under Checks
NAMED = 5  # names of one kind in that line
ALWAYS = (
    "Whether a single negative is truly irrelevant: no person judged that here.",
    "How a retriever trained on it will do on your task: only training shows that.",
)
MEANING = {
    "match": "Whether the sources still differ once psi is made equal",
    "stability": "Whether a smaller sample would give the same order",
    "compare": "How the sources compare on every statistic, corrected for many comparisons",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What speaks against sources of which the same is to be said; `usable` is the audit's word, `words` the same in plain English."""

    names: tuple[str, ...]
    usable: str
    words: str
    reasons: tuple[str, ...]


def objections(run: SavedRun, choice: Sequence[str]) -> tuple[Finding, ...]:
    """Return what is wrong with the sources that were not chosen, the worst last and controls after all others; like ones are one."""
    order = list(USABLE_WORDS)
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name in run.names:
        if name not in choice:
            alike.setdefault(_finding(run, name, choice), []).append(name)
    found = [Finding(tuple(names), usable, USABLE_WORDS.get(usable, usable), reasons) for (usable, reasons), names in alike.items()]
    return tuple(sorted(found, key=lambda finding: order.index(finding.usable) if finding.usable in order else len(order)))


def in_short(findings: Sequence[Finding]) -> str:
    """Return one line that says what each of the other sources is."""
    by_word: dict[str, list[str]] = {}
    for finding in findings:
        by_word.setdefault(IN_SHORT.get(finding.usable, finding.words), []).extend(finding.names)
    shown = {
        word: names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"] for word, names in by_word.items()
    }
    return " ".join(f"{word}: {joined(names)}." for word, names in shown.items())


def _finding(run: SavedRun, name: str, choice: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    verdict = run.audited(name).get("verdict", {})
    usable = str(verdict.get("usable", "control" if run.role(name) == "control" else "undecidable"))
    reasons = [str(reason) for reason in verdict.get("why") or ()]
    if usable == "yes" and choice:
        mine, best = (number(run.sources[source]["mean_psi"]) for source in (name, choice[0]))
        reasons = [f"nothing was found against it, but its psi is {mine} where {choice[0]} has {best}"]
    if usable == "control":
        return usable, tuple(reasons)  # what is wrong with it is known; what was noticed of it stands under how sure
    ranked = sorted(run.checks(name).items(), key=lambda item: item[1].get("severity") != "error")
    faults = [line for check, result in ranked if (line := fault(check, result)) and not _said(check, reasons)]
    reasons += faults[:FAULTS]
    if len(faults) > FAULTS:
        reasons.append(f"{len(faults) - FAULTS} more under Checks")
    if not reasons:
        reasons = ["it was scored but not audited"] if run.audit is None else ["no reason was recorded"]
    return usable, tuple(reasons)


def fault(check: str, result: Mapping[str, Any]) -> str | None:
    """Return what a check found in a few words; None where it found no fault."""
    if result.get("severity") not in ("warn", "error"):
        return None
    shown = check_of(check)
    held = interval_words(result.get("interval"), shown.unit)
    said = f"{shown.title} {measured(result.get('value'), shown.unit)}"
    return f"{said} (95 % interval {held})" if held else said


def _said(check: str, reasons: Sequence[str]) -> bool:
    """Whether the verdict already names the check, by its key or its title."""
    names = (check, check.replace("_", " "), check_of(check).title)
    return any(name in reason for name in names for reason in reasons)


def not_judged(run: SavedRun) -> tuple[str, ...]:
    """Return what this run leaves open, each with the command that would look at it where there is one."""
    lines = []
    if run.audit is None:
        lines.append("Whether any source departs from the known good ones: run `negaudit audit`.")
    if not run.encoded:
        lines.append("rho, eta and inversions: no encoder was given; score again with `--encoder`.")
    if run.audit is not None and not run.check_names:
        lines.append("Single negatives: no check looked at them, so contamination too small to move a mean is not excluded.")
    lines += _checks_not_run(run)
    lines += [f"{MEANING[name]}: run `{command}`." for name, command in OPTIONAL.items() if name not in run.others]
    return (*lines, *ALWAYS)


def _checks_not_run(run: SavedRun) -> list[str]:
    why: dict[tuple[str, str], list[str]] = {}
    for name in run.names:
        for check, result in run.checks(name).items():
            if result.get("severity") == "not_run":
                why.setdefault((str(result.get("reason") or "no reason was given"), check), []).append(name)
    by_reason: dict[str, list[str]] = {}
    for (reason, check), names in why.items():
        where = "" if len(names) == len(run.names) else f" on {joined(names) if len(names) < 4 else counted(len(names), 'source')}"
        by_reason.setdefault(reason, []).append(f"{check_of(check).title}{where}")
    return [f"{joined(checks)}: not run ({reason})." for reason, checks in by_reason.items()]
