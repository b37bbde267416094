"""The review as one HTML file that opens anywhere: everything inside it, nothing fetched, every text escaped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from negaudit.reporting import figures, provenance, source_table
from negaudit.reporting.bundle import TEMPLATES, part, script_hash, vega_script
from negaudit.reporting.changes import Changes, change_lines
from negaudit.reporting.check_matrix import check_columns, check_rows, criterion_rows
from negaudit.reporting.decision import decide
from negaudit.reporting.examples import example_groups
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import ROLE_SIGNS, ROLE_WORDS, SEVERITIES

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPT, STYLE = "report.js", "report.css"


@cache
def environment() -> Environment:
    """Return the templates' environment: what is put into HTML is escaped, and a name that is not there is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def report_page(run: SavedRun) -> str:
    """Return the whole page of a saved run."""
    groups = {
        "profile_figures": figures.profile_figures(run),
        "distribution_figures": figures.distribution_figures(run),
        "map_figures": figures.map_figures(run),
        "contamination_figures": figures.contamination_figures(run),
        "matching_figures": figures.matching_figures(run),
        "stability_figures": figures.stability_figures(run),
    }
    charts = {figure.key: figure.spec for group in groups.values() for figure in group}
    return render("report.html.j2", {**review(run), **groups}, charts)


def review(run: SavedRun) -> dict[str, Any]:
    """Return what a review says, without its charts; report.html and report.md are made from this."""
    examples, no_examples = example_groups(run)
    buckets, bucket_rows = source_table.bucket_rows(run)
    return {
        "run": run,
        "decision": decide(run),
        "headings": source_table.headings(run),
        "rows": source_table.source_rows(run),
        "bounds": source_table.envelope_bounds(run),
        "envelope_sources": (run.audit or {}).get("envelope_sources") or [],
        "buckets": buckets,
        "bucket_rows": bucket_rows,
        "check_columns": check_columns(run),
        "check_rows": check_rows(run),
        "criterion": criterion_rows(run),
        "examples": examples,
        "no_examples": no_examples,
        "settings": provenance.settings(run),
        "counts": provenance.count_rows(run),
        "truncation": provenance.truncation_lines(run),
        "missing": provenance.missing(run),
        "notes": {name: list(body.get("notes") or []) for name, body in run.others.items() if body.get("notes")},
        "limits": provenance.LIMITS,
        "severities": list(SEVERITIES.values()),
        "role_signs": ROLE_SIGNS,
        "role_words": ROLE_WORDS,
    }


def changes_page(found: Changes) -> str:
    """Return the page of what changed between two runs."""
    return render("changes.html.j2", {"changes": found, "lines": change_lines(found)}, {})


def render(template: str, context: Mapping[str, Any], charts: Mapping[str, Any]) -> str:
    """Return a page with the scripts and the charts' data in it. Its policy lets these scripts run, no other, and nothing be fetched."""
    from markupsafe import Markup

    scripts = [vega_script(), part(SCRIPT)] if charts else [part(SCRIPT)]
    allowed = " ".join(f"'{script_hash(script)}'" for script in scripts)
    return (
        environment()
        .get_template(template)
        .render(
            **context,
            policy=f"default-src 'none'; script-src {allowed} 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
            "form-action 'none'",
            style=Markup(part(STYLE)),
            scripts=[Markup(script) for script in scripts],
            charts=Markup(inside_script(charts)),
        )
    )


def inside_script(data: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return JSON that cannot end the script element it stands in, whatever texts are in it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
