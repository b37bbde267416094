"""The review as Markdown, for a pull request: the decision, the sources, what checks found and how it was made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from negaudit.reporting.changes import Changes, change_lines
from negaudit.reporting.decision import Decision
from negaudit.reporting.objections import Finding
from negaudit.reporting.page import review
from negaudit.reporting.saved_run import SavedRun

# What Markdown or HTML would read as markup; each is written as a character reference or escaped.
_MARKUP = re.compile(r"[\\`*_{}\[\]()#|~]")
_LINK = re.compile(r"(?i)\b(?:(?:https?|javascript|data)(?=\\?:)|www(?=\\?\.))")
EXAMPLES = 5  # groups of examples, one example each: a pull request is no place for more
LONGEST = 300


def report_markdown(run: SavedRun) -> str:
    """Return the whole review of a saved run, without the charts."""
    found = review(run)
    parts = [
        decision_markdown(found["decision"], run.name),
        _sources(found),
        _checks(found),
        _criterion(found["criterion"]),
        _examples(found["examples"]),
        _made(found),
        "## What this does not show\n\n" + bullets(found["limits"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: Any) -> str:
    """Return a text as Markdown shows it, on one line: no markup, no HTML and no link can come of it."""
    flat = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    flat = _MARKUP.sub(lambda found: "\\" + found[0], flat)
    # A scheme before a colon, and www before a dot, can start a link of their own accord; with a reference inside they cannot.
    return _LINK.sub(lambda found: f"{found[0][0]}&#8203;{found[0][1:]}", flat)


def bullets(lines: Iterable[str]) -> str:
    """Return lines as a list; what stands in backquotes in them is a command of ours and stays code."""
    return "\n".join(f"- {sentence(line)}" for line in lines)


def sentence(line: str) -> str:
    """Return one of our sentences, escaped but for the commands in backquotes."""
    pieces = line.split("`")
    return "".join(f"`{piece}`" if at % 2 else escaped(piece) + (" " if piece.endswith(" ") else "") for at, piece in enumerate(pieces))


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]], numbers: int = 0) -> str:
    """Return a table; the last `numbers` columns are aligned to the right."""
    rule = ["---"] * (len(headings) - numbers) + ["--:"] * numbers
    lines = [headings, rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def decision_markdown(decision: Decision, name: str) -> str:
    """Return the decision: headline, why, how sure, what is wrong with the others, what was not judged."""
    parts = [f"# {escaped(decision.headline)}", f"*{escaped(decision.level_words)}.* Review of {escaped(name)} by negaudit."]
    parts += [escaped(decision.others)] if decision.others else []
    for title, lines in (("Why", decision.why), ("How sure", decision.sure)):
        if lines:
            parts.append(f"## {title}\n\n{bullets(lines)}")
    if decision.wrong:
        parts.append("## What is wrong with the others\n\n" + "\n".join(map(_finding, decision.wrong)))
    parts.append(f"## What was not judged\n\n{bullets(decision.not_judged)}")
    return "\n\n".join([*parts, f"> {escaped(decision.caution)}"] if decision.caution else parts)


def _finding(finding: Finding) -> str:
    names = ", ".join(f"**{escaped(name)}**" for name in finding.names)
    return f"- {names} ({escaped(finding.words)}): {escaped('; '.join(finding.reasons))}."


def _sources(found: Mapping[str, Any]) -> str:
    headings = ["source", "role", "verdict", "rank", *(heading["short"] for heading in found["headings"]), "records", "negatives"]
    rows = []
    for row in found["rows"]:
        statistics = [_with_interval(f"**{s['text']} ▸**" if s["outside"] else s["text"], s["interval"]) for s in row["statistics"]]
        verdict = f"{row['usable_sign']} {row['usable']}"
        rows.append([escaped(row["name"]), row["role"], verdict, row["place_words"], *statistics, row["records"], row["negatives"]])
    if found["envelope_sources"]:
        rows.append(["range of the known good", ", ".join(map(escaped, found["envelope_sources"])), "", "", *found["bounds"], "", ""])
    note = "Means with 95 % intervals over records; ▸ lies outside the range of the known good sources; = shares a place."
    return f"## Sources\n\n{note}\n\n{table(headings, rows, len(found['headings']) + 2)}"


def _checks(found: Mapping[str, Any]) -> str:
    if not found["check_columns"]:
        return "## Checks\n\nNo check of single negatives was run."
    rows = []
    for at, check in enumerate(found["check_columns"]):
        cells = [row["cells"][at] for row in found["check_rows"]]
        texts = [_with_interval(f"{cell['sign']} {cell['value']}".strip(), cell["interval"]) for cell in cells]
        rows.append([escaped(check["title"]), *texts])
    signs = ", ".join(f"{severity.sign} {severity.word}" for severity in found["severities"])
    return f"## Checks\n\n{signs}.\n\n{table(['check', *(escaped(row['name']) for row in found['check_rows'])], rows)}"


def _with_interval(value: str, interval: str) -> str:
    return f"{value} ({interval})" if interval else value


def _criterion(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return ""
    cells = [[f"`{row['weighting']}`", "✓" if row["holds"] else "✕", ", ".join(map(escaped, row["violators"])) or "none"] for row in rows]
    return "## Does every control rank below every known good source?\n\n" + table(["weighting", "holds", "controls that break it"], cells)


def _examples(groups: Sequence[Any]) -> str:
    parts = []
    for group in groups[:EXAMPLES]:
        example = group.examples[0]
        flagged = group.flagged if group.flagged is not None else group.saved
        rows = [
            [name, _clipped(pieces)]
            for name, pieces in (("query", example.query), ("positive", example.positive), ("negative", example.negative))
        ]
        parts.append(f"### {escaped(group.title)} in {escaped(group.source)}: 1 of {flagged:,}\n\n{table(['', 'text'], rows)}")
    return "## Examples\n\n" + "\n\n".join(parts) if parts else ""


def _clipped(pieces: Sequence[tuple[str, bool]]) -> str:
    text = "".join(piece for piece, _ in pieces)
    return escaped(text if len(text) <= LONGEST else text[:LONGEST] + "…")


def _made(found: Mapping[str, Any]) -> str:
    rows = [[term, escaped(value)] for term, value in found["settings"]]
    lines = [*found["truncation"], *(f"{line}." for line in found["missing"])]
    return "## How it was made\n\n" + table(["setting", "value"], rows) + ("\n\n" + bullets(lines) if lines else "")


def changes_markdown(found: Changes) -> str:
    """Return what changed between two runs."""
    rows = [
        [escaped(s.source), s.statistic, f"{s.before:.3f}", f"{s.after:.3f}", f"{s.after - s.before:+.3f}", "yes" if s.beyond else "no"]
        for s in found.shifts
    ]
    headings = ["source", "statistic", "before", "after", "change", "intervals apart"]
    parts = [f"# What changed from {escaped(found.before)} to {escaped(found.after)}", bullets(change_lines(found))]
    return "\n\n".join([*parts, table(headings, rows, 4)] if rows else parts) + "\n"
