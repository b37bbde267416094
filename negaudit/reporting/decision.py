"""The decision that a review opens with, as data: which source, how sure, what is wrong with the others, what was not judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from negaudit.reporting.evidence import how_sure, why_this_one
from negaudit.reporting.objections import Finding, in_short, not_judged, objections
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import counted, joined

Level = Literal["clear", "tie", "care", "open", "none"]
LEVELS = {
    "clear": "The order is clear; see what it rests on",
    "tie": "A tie: take either",
    "care": "With care only",
    "open": "Not decided",
    "none": "None passes",
}


@dataclass(frozen=True)
class Decision:
    """Plain sentences: `headline` and `choice` say which source, `why` and `sure` on what grounds, `others` in short what
    the others are, `wrong` what speaks against them.

    `choice` has several names where they cannot be told apart, and none where no source can be recommended.
    """

    headline: str
    level: Level
    choice: tuple[str, ...]
    why: tuple[str, ...]
    sure: tuple[str, ...]
    others: str
    wrong: tuple[Finding, ...]
    not_judged: tuple[str, ...]
    caution: str

    @property
    def level_words(self) -> str:
        """The level in words."""
        return LEVELS[self.level]

    def as_dict(self) -> dict[str, Any]:
        """Return the decision as JSON-ready data."""
        return {**asdict(self), "level_words": self.level_words}


def decide(run: SavedRun) -> Decision:
    """Return the decision on a saved run; it says no more than its documents do."""
    headline, level, choice = _choice(run)
    wrong = objections(run, choice)
    return Decision(
        headline=headline,
        level=level,
        choice=choice,
        why=why_this_one(run, choice),
        sure=how_sure(run, choice),
        others=in_short(wrong),
        wrong=wrong,
        not_judged=not_judged(run),
        caution=str((run.audit or {}).get("caution", "")),
    )


def _choice(run: SavedRun) -> tuple[str, Level, tuple[str, ...]]:
    if run.audit is None:
        return "No recommendation yet: these sources were scored but not audited.", "open", ()
    review = [name for name in run.names if run.role(name) != "control"]
    usable = {name: str(run.audited(name).get("verdict", {}).get("usable", "undecidable")) for name in review}
    good = [name for name in review if usable[name] == "yes"]
    if good:
        return _best(first_group(run, good), len(review))
    careful = [name for name in review if usable[name] == "with care"]
    if careful:
        return f"Nothing passes without reservation. With care: {joined(careful, 'or')}.", "care", tuple(careful)
    if any(word == "undecidable" for word in usable.values()):
        return "No recommendation yet: what was measured does not decide it.", "open", ()
    if not review:
        return "There is nothing to choose: every source here is a control.", "none", ()
    return f"Train on none of the {counted(len(review), 'source')} as they are.", "none", ()


def _best(group: Sequence[str], candidates: int) -> tuple[str, Level, tuple[str, ...]]:
    if len(group) > 1:
        return f"Train on {joined(group, 'or')}: the measurements cannot tell them apart.", "tie", tuple(group)
    only = " It is the only source here that is not a control." if candidates == 1 else ""
    return f"Train on {group[0]}.{only}", "clear", tuple(group)


def first_group(run: SavedRun, good: Sequence[str]) -> list[str]:
    """Return the best of `good` by the audit's ranking with ties; by mean psi alone where it ranks none of them."""
    for group in (run.audit or {}).get("ranking") or []:
        found = [name for name in ([group] if isinstance(group, str) else group) if name in good]
        if found:
            return found
    return [max(good, key=lambda name: float(run.sources[name]["mean_psi"]))]
