"""Scored and audited sources, decisions and changes for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from negaudit.reporting.changes import Changes, change_lines
from negaudit.reporting.decision import Decision, decide
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import scored

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

SHORT = {"mean_psi": "psi", "mean_rho": "rho", "mean_eta": "eta", "inversion_rate": "inversion", "ambiguity": "ambiguity"}


def score_table(summary: Mapping[str, Any]) -> Table:
    """Return one row per source: what was scored, and each mean with its 95 % interval over records."""
    from rich.table import Table

    statistics = [name for name in SHORT if any(name in source for source in summary["sources"].values())]
    eci = summary["encoder"] is not None
    table = Table(title=None, caption=_setting(summary), caption_justify="left")
    table.add_column("source", no_wrap=True)
    for heading in ("role", "records", "negatives", *(SHORT[name] for name in statistics), *(("ECI log-det", "trace") if eci else ())):
        table.add_column(heading, justify="left" if heading == "role" else "right")
    for name, source in summary["sources"].items():
        row = [name, source["role"], scored(source["records"]), scored(source["negatives"])]
        row += [with_interval(source[s], source["intervals"].get(s)) for s in statistics]
        if eci:
            row += [f"{source['eci']['composite'][part]:.4f}" for part in ("logdet", "trace")]
        table.add_row(*row)
    return table


def with_interval(value: float, interval: Sequence[float] | None) -> str:
    """Return a number with its interval, both to three decimals."""
    return f"{value:.3f}" if interval is None else f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


def review_table(audit: Mapping[str, Any], summary: Mapping[str, Any]) -> Table:
    """Return one row per source: role, profile with what is outside the envelope marked, and the verdict."""
    from rich.table import Table

    statistics = [name for name in SHORT if name in audit["envelope"]]
    table = Table(caption=_setting(summary), caption_justify="left")
    table.add_column("source", no_wrap=True)
    table.add_column("role")
    for name in statistics:
        table.add_column(SHORT[name], justify="right")
    table.add_column("usable")
    table.add_column("why", overflow="fold", max_width=60)
    for name, source in audit["sources"].items():
        cells = [f"{source['profile'][s]:.3f}{' !' if s in source['flags'] else ''}" for s in statistics]
        table.add_row(name, source["role"], *cells, source["verdict"]["usable"], "; ".join(source["verdict"]["why"]))
    bound = [("<= " if s != "inversion_rate" else ">= ") + f"{audit['envelope'][s]:.3f}" for s in statistics]
    table.add_section()
    table.add_row("envelope", "", *bound, "", "of " + ", ".join(audit["envelope_sources"]))
    return table


def review(audit: Mapping[str, Any], summary: Mapping[str, Any]) -> Group:
    """Return the review of an audited run for the terminal; without a folder, what further commands would tell is named as not run."""
    return run_review(SavedRun(Path(), summary, audit))


def run_review(run: SavedRun) -> Group:
    """Return the review of a saved run for the terminal: the decision in sentences, and below it the table it rests on."""
    from rich.console import Group

    table = score_table(run.summary) if run.audit is None else review_table(run.audit, run.summary)
    return Group(decision_text(decide(run)), table)


def decision_text(decision: Decision) -> Text:
    """Return the decision for the terminal: headline, why, how sure, what is wrong with the others, what was not judged."""
    from rich.text import Text

    wrong = [f"{', '.join(finding.names)} ({finding.words}): {'; '.join(finding.reasons)}" for finding in decision.wrong]
    parts = [("Why", decision.why), ("How sure", decision.sure), ("What is wrong with the others", wrong)]
    parts.append(("What was not judged", decision.not_judged))
    text = Text(f"{decision.headline}", style="bold").append(f"  {decision.level_words}", style="not bold")
    if decision.others:
        text.append(f"\n{decision.others}", style="not bold")
    for title, lines in parts:
        if lines:
            text.append(f"\n{title}", style="bold")
            text.append("".join(f"\n  - {line.replace('`', '')}" for line in lines), style="not bold")
    if decision.caution:
        text.append(f"\n{decision.caution}", style="not bold")
    return text


def changes_table(found: Changes) -> Group:
    """Return what changed between two runs, for the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(caption="intervals apart: the two 95 % intervals do not overlap", caption_justify="left")
    for heading in ("source", "statistic", f"before: {found.before}", f"after: {found.after}", "change", "intervals apart"):
        table.add_column(heading, justify="left" if heading in ("source", "statistic") else "right")
    for shift in found.shifts:
        sides = [with_interval(shift.before, shift.before_interval or None), with_interval(shift.after, shift.after_interval or None)]
        table.add_row(shift.source, shift.statistic, *sides, f"{shift.after - shift.before:+.3f}", "yes" if shift.beyond else "no")
    return Group(*(Text(line) for line in change_lines(found)), *([table] if found.shifts else []))


def _setting(summary: Mapping[str, Any]) -> str:
    lexical, encoder = summary["lexical"], summary["encoder"]
    parts = [f"tokenizer {lexical['tokenizer']}, idf {lexical['idf']} over {lexical['documents']:,} documents"]
    parts.append(f"encoder {encoder['model']}, length {encoder['max_length']}" if encoder else "no encoder: lexical only")
    if not lexical["reliable"]:
        parts.append(f"LEXICAL NUMBERS UNRELIABLE: {lexical['advice']}")
    return "; ".join(parts)
