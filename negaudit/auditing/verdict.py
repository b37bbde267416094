"""Whether a source can be used, and why, in words that say no more than was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from negaudit.auditing.envelope import Flag

Usable = Literal["yes", "with care", "no", "undecidable", "control"]
Severity = Literal["ok", "warn", "error"]
# What each decision is called where people read it.
CALLED: dict[Usable, str] = {
    "yes": "usable",
    "with care": "usable with care",
    "no": "not usable",
    "undecidable": "undecidable",
    "control": "control",
}
OUTSIDE = {
    "mean_rho": "the encoder tells its negatives from the positive more easily than in any genuine source",
    "mean_eta": "its negatives lie nearer to the positive than in any genuine source",
    "mean_psi": "its negatives share fewer query words than in any genuine source",
    "inversion_rate": "its negatives outrank the positive less often than in any genuine source",
}
# Without these, a source that is mostly random passages, or mostly its own positives, would go unseen.
ESSENTIAL = ("unrelated", "own_positive")
CHECKED = "no check found a fault that counts"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on one source and its reasons."""

    usable: Usable
    why: tuple[str, ...]


def verdict(
    role: str,
    flags: Sequence[Flag],
    errors: Mapping[str, Sequence[Flag]],
    checks: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    judged: bool,
    encoded: bool,
) -> Verdict:
    """Return the decision on a source with these envelope `flags` and these `checks` (as in audit.json: severity, reason, …, by name).

    A check's error makes it not usable. Its warning, or a departure from the envelope that chance does not explain, calls for care: an
    envelope of means describes what is unusual and condemns nothing (the paper, section 6.3). `errors` is what the envelope flags in
    genuine sources left out. `judged` is False where no other source made the envelope, `encoded` where only psi was measured. What was
    not run makes it undecidable, unless something was found that needs no more evidence.
    """
    checks = checks or {}
    if role == "control":
        return Verdict("control", ("built to be bad in a known way; never to be trained on",))
    found = [*_reasons(checks, "error"), *_reasons(checks, "warn"), *_outside(flags, errors)]
    lacking = _lacking(role, checks, judged=judged, encoded=encoded)
    if severity(flags, checks) == "error":
        return Verdict("no", (*found, *lacking))
    if lacking:
        return Verdict("undecidable", (*lacking, *found))
    if found:
        return Verdict("with care", (*found, *_left_out(checks)))
    return Verdict("yes", (*_fine(role, checks, judged=judged), *_left_out(checks)))


def severity(flags: Sequence[Flag], checks: Mapping[str, Mapping[str, Any]]) -> Severity:
    """Return the worst that is said of a source: a check's error, or a warning of a check or of the envelope where chance is no excuse."""
    said = {str(check["severity"]) for check in checks.values()}
    if "error" in said:
        return "error"
    return "warn" if "warn" in said or any(flag.clear for flag in flags) else "ok"


def _reasons(checks: Mapping[str, Mapping[str, Any]], severity: str) -> list[str]:
    return [f"{name}: {check.get('reason') or severity}" for name, check in checks.items() if check["severity"] == severity]


def _outside(flags: Sequence[Flag], errors: Mapping[str, Sequence[Flag]]) -> list[str]:
    """Return what lies outside the envelope beyond chance, and how far that is to be trusted."""
    clear = [flag for flag in flags if flag.clear]
    if not clear:
        return []
    reasons = [OUTSIDE[flag.statistic] for flag in clear]
    if not errors:
        return [*reasons, "how often the envelope is wrong is not known, since one source made it"]
    wrong = sorted(name for name, found in errors.items() if {flag.statistic for flag in found} & {flag.statistic for flag in clear})
    if all(flag.far for flag in clear) or not wrong:
        return [*reasons, "farther than any known good source when that one is left out"]
    return [*reasons, f"but the envelope also flags known good sources when they are left out ({', '.join(wrong)})"]


def _lacking(role: str, checks: Mapping[str, Mapping[str, Any]], *, judged: bool, encoded: bool) -> list[str]:
    """Return what was not run and the decision cannot do without."""
    if not encoded:
        return ["only the lexical side was measured: rho, eta, inversions and the checks by similarity were not run (--encoder)"]
    missing = [name for name in ESSENTIAL if name in checks and checks[name]["severity"] == "not_run"]
    if missing:
        return [f"check {name} was not run: {checks[name].get('reason') or 'no reason was given'}" for name in missing]
    if not judged and not checks and role != "genuine":
        return ["it is part of the envelope, which therefore cannot judge it; name other sources with --genuine"]
    return []


def _left_out(checks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    names = [name for name, check in checks.items() if check["severity"] == "not_run"]
    return [f"not run: {', '.join(names)}"] if names else []


def _fine(role: str, checks: Mapping[str, Mapping[str, Any]], *, judged: bool) -> list[str]:
    if not judged:
        said = "taken as known good by you" if role == "genuine" else "it is part of the envelope, which therefore cannot judge it"
        return [f"{said}; {CHECKED}" if checks else said]
    inside = "its means lie inside the envelope of the genuine sources"
    return [f"{inside}; {CHECKED}" if checks else f"{inside}; contamination too small to move a mean is not excluded"]
