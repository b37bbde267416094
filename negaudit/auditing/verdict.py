"""Whether a source can be used, and why, in words that say no more than was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from negaudit.auditing.envelope import Flag

Usable = Literal["yes", "with care", "no", "undecidable", "control"]
WORDS = {
    "mean_rho": "the encoder tells its negatives from the positive more easily than in any genuine source",
    "mean_eta": "its negatives lie nearer to the positive than in any genuine source",
    "mean_psi": "its negatives share fewer query words than in any genuine source",
    "inversion_rate": "its negatives outrank the positive less often than in any genuine source",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on one source and its reasons."""

    usable: Usable
    why: tuple[str, ...]


def verdict(role: str, flags: Sequence[Flag], errors: Mapping[str, Sequence[Flag]], *, judged: bool, encoded: bool) -> Verdict:
    """Return the decision on a source with these `flags`; `errors` is what the envelope flags in genuine sources left out.

    `judged` is False where no other source made the envelope, `encoded` where only psi was measured.
    """
    if role == "control":
        return Verdict("control", ("built to be bad in a known way; never to be trained on",))
    reasons = [WORDS[flag.statistic] for flag in flags]
    if flags:
        wrong = sorted(name for name, found in errors.items() if found)
        if wrong:
            reasons.append(f"but the envelope also flags known good sources when they are left out ({', '.join(wrong)})")
        return Verdict("with care" if wrong else "no", tuple(reasons))
    if not encoded:
        return Verdict("undecidable", ("only the lexical side was measured; score with --encoder to judge rho, eta and inversions",))
    if not judged:
        why = "it is part of the envelope, which therefore cannot judge it; name other sources with --genuine"
        return Verdict("yes" if role == "genuine" else "undecidable", ("taken as known good by you",) if role == "genuine" else (why,))
    return Verdict(
        "yes", ("its means lie inside the envelope of the genuine sources; contamination too small to move a mean is not excluded",)
    )
