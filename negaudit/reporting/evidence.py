"""What speaks for the recommended source, and how sure that is, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negaudit.reporting.further_evidence import at_equal_psi, settled
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import PROFILE, check_of, counted, interval_words, joined, measured, number, percent

SHORT = {statistic.key: statistic.short for statistic in PROFILE}
STUDY = (
    "In the published study of negatives for MS MARCO, larger psi went with better transfer in all six groups of sources: "
    "two orderings, seen with three encoders. That is an association, not a cause."
)


def why_this_one(run: SavedRun, choice: Sequence[str]) -> tuple[str, ...]:
    """Return the reasons for the choice; empty where there is none."""
    if not choice:
        return ()
    lines = [_passes(run, name) for name in choice]
    if all(run.audited(name).get("verdict", {}).get("usable") == "yes" for name in choice):
        lines += [*_psi(run, choice), STUDY]
    return tuple(lines)


def how_sure(run: SavedRun, choice: Sequence[str]) -> tuple[str, ...]:
    """Return what the certainty rests on: the difference to the next, also at equal psi, when the order settled, the controls, the
    envelope's own error, how much was read.
    """
    after = next_best(run, choice) if choice else None
    further = [*(at_equal_psi(run, choice[0], after) if after else ()), *settled(run)]
    lines = [*_unreliable(run), *_difference(run, choice), *further, *_controls(run), *_left_out(run)]
    return (*lines, *_word_of_the_user(run, choice), *_counts(run))


def caught(run: SavedRun) -> dict[str, list[str]]:
    """Return for each control what the audit found in it: statistics outside the envelope beyond chance, and checks that found a fault."""
    found = {}
    for name in run.names:
        if run.role(name) == "control" and run.audit is not None:
            faults = [check for check, result in run.checks(name).items() if result.get("severity") == "error"]
            clear = [SHORT.get(s, s) for s, flag in run.audited(name).get("flags", {}).items() if flag.get("clear", True)]
            found[name] = clear + faults
    return found


def _passes(run: SavedRun, name: str) -> str:
    verdict = run.audited(name).get("verdict", {})
    faults = [check for check, result in run.checks(name).items() if result.get("severity") in ("warn", "error")]
    checked = [check for check, result in run.checks(name).items() if result.get("severity") != "not_run"]
    said = "; ".join(verdict.get("why") or ()) or "no reason was recorded"
    clean = (
        f" None of the {len(checked)} checks of its negatives found a fault." if checked and not faults and "no check" not in said else ""
    )
    return f"{name}: {said}.{clean}{_worth_knowing(run, name)}"


def _worth_knowing(run: SavedRun, name: str) -> str:
    """Return what checks found in the source that is no fault but that its user should know."""
    found = run.checks(name)
    noted = [_noted(check, found[check]) for check in run.check_names if found.get(check, {}).get("severity") == "info"]
    return f" Worth knowing: {'; '.join(noted)}." if noted else ""


def _noted(check: str, result: Mapping[str, Any]) -> str:
    shown = check_of(check)
    held = interval_words(result.get("interval"), shown.unit)
    return f"{shown.title} {measured(result.get('value'), shown.unit)}" + (f" (95 % interval {held})" if held else "")


def _psi(run: SavedRun, choice: Sequence[str]) -> list[str]:
    first = choice[0]
    value = run.sources[first]["mean_psi"]
    held = interval_words(run.sources[first].get("intervals", {}).get("mean_psi"))
    said = f"On average its negatives leave {percent(value)} of the query's words, weighted by rarity, uncovered (psi {number(value)}"
    said += f", 95 % interval {held})" if held else ")"
    after = next_best(run, choice)
    return [said + (f"; the next, {after}, leaves {percent(run.sources[after]['mean_psi'])}." if after else ".")]


def next_best(run: SavedRun, choice: Sequence[str]) -> str | None:
    """Return the source that the ranking puts after the choice; None where there is none."""
    flat = [[group] if isinstance(group, str) else list(group) for group in (run.audit or {}).get("ranking") or []]
    later = [name for group in flat for name in group if name not in choice and name in run.sources]
    return later[0] if later else None


def _difference(run: SavedRun, choice: Sequence[str]) -> list[str]:
    after = next_best(run, choice)
    if not choice or after is None:
        return []
    found = difference(run, choice[0], after)
    if found is None:
        return [f"No interval of the difference between {choice[0]} and {after} was computed, so how sure their order is, is not known."]
    held = interval_words(found)
    if found[0] <= 0 <= found[1]:
        return [f"{choice[0]} and {after} cannot be told apart: the 95 % interval of their difference in psi, {held}, holds 0."]
    return [f"{choice[0]} is ahead of {after} in psi by {held} (95 % interval, paired over queries), which does not hold 0."]


def difference(run: SavedRun, first: str, second: str) -> list[float] | None:
    """Return the paired interval of mean psi of `first` minus that of `second`; None where it was not computed."""
    table = run.summary.get("differences", {}).get("mean_psi", {})
    if second in table.get(first, {}):
        return list(table[first][second])
    turned = table.get(second, {}).get(first)
    return [-turned[1], -turned[0]] if turned else None


def _controls(run: SavedRun) -> list[str]:
    found = caught(run)
    if not found:
        return ["No control was audited, so nothing shows that this audit would notice a bad source; build some with `negaudit controls`."]
    missed = [name for name, faults in found.items() if not faults]
    were = "was" if len(found) == 1 else "were"
    said = f"The audit caught {len(found) - len(missed)} of {counted(len(found), 'source')} that {were} built bad on purpose"
    return [f"{said}; it missed {joined(missed)}." if missed else f"{said} ({joined(list(found))})."]


def _left_out(run: SavedRun) -> list[str]:
    left_out: dict[str, Any] = (run.audit or {}).get("leave_one_out") or {}
    if not left_out:
        return ["Fewer than two sources are known good, so how often their range errs is not known."] if run.audit else []
    wrong = {name: found for name, found in left_out.items() if found}
    said = f"Held against the range of the others alone, {len(wrong)} of {counted(len(left_out), 'known good source')} would be flagged"
    if not wrong:
        return [f"{said}, so that range made no error here."]
    which = joined([f"{name} ({', '.join(SHORT.get(s, s) for s in found)})" for name, found in wrong.items()])
    return [f"{said}: {which}. Lying outside that range is therefore weak evidence."]


def _word_of_the_user(run: SavedRun, choice: Sequence[str]) -> list[str]:
    taken = [name for name in choice if run.role(name) == "genuine"]
    verb = "it is" if len(taken) == 1 else "they are"
    return [f"{joined(taken)} made the range that others are held against: that {verb} good is your word."] if taken else []


def _counts(run: SavedRun) -> list[str]:
    records = [source["records"] for source in run.sources.values()]
    least, most = min(r["scored"] for r in records), max(r["scored"] for r in records)
    said = f"{least:,} to {most:,} records" if least != most else counted(most, "record")
    total = sum(source["negatives"]["scored"] for source in run.sources.values())
    return [f"It rests on {said} per source and {counted(total, 'negative')} in all."]


def _unreliable(run: SavedRun) -> list[str]:
    lexical = run.summary["lexical"]
    if lexical.get("reliable", True):
        return []
    return [
        f"The lexical numbers are unreliable here, psi and the ranking with them: {lexical.get('advice', 'the tokenizer does not fit')}."
    ]
