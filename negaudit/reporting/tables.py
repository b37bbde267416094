"""Scored and audited sources as terminal tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

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
        row = [name, source["role"], _scored(source["records"]), _scored(source["negatives"])]
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
    """Return the review of an audited run for the terminal: the table, and below it what the table cannot say."""
    from rich.console import Group
    from rich.text import Text

    return Group(review_table(audit, summary), *(Text(line) for line in review_lines(audit)))


def review_lines(audit: Mapping[str, Any]) -> list[str]:
    """Return what the table cannot say: the ranking with ties, the envelope's own error, what breaks the criterion, the caution."""
    lines = []
    if audit["ranking"]:
        order = " > ".join(" = ".join(group) for group in audit["ranking"])
        lines.append(f"By mean psi, sources without a flag: {order}  (= : the paired 95 % interval of the difference holds 0)")
    left_out = audit["leave_one_out"]
    if left_out:
        wrong = [f"{name} ({', '.join(SHORT[s] for s in found)})" for name, found in left_out.items() if found]
        lines.append(f"Leaving one genuine source out, the envelope flags {len(wrong)} of {len(left_out)}: {', '.join(wrong) or 'none'}")
    composite = audit["criterion"].get("composite")
    if composite and not composite["holds"]:
        lines.append(f"Controls that do not rank below every genuine source under the composite: {', '.join(composite['violators'])}")
    return [*lines, audit["caution"]]


def _scored(counts: Mapping[str, Any]) -> str:
    """Return the scored count, with its denominator where it is not all that was read."""
    return f"{counts['scored']:,}" if counts["scored"] == counts["read"] else f"{counts['scored']:,} of {counts['read']:,}"


def _setting(summary: Mapping[str, Any]) -> str:
    lexical, encoder = summary["lexical"], summary["encoder"]
    parts = [f"tokenizer {lexical['tokenizer']}, idf {lexical['idf']} over {lexical['documents']:,} documents"]
    parts.append(f"encoder {encoder['model']}, length {encoder['max_length']}" if encoder else "no encoder: lexical only")
    if not lexical["reliable"]:
        parts.append(f"LEXICAL NUMBERS UNRELIABLE: {lexical['advice']}")
    return "; ".join(parts)
