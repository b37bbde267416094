"""The charts of what was run besides the audit's means: contamination by check, matching on psi, stability over sample size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.reporting.chart_parts import Spec, chart_of, interval_plot, row, specification
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import check_of

MATCHED = "20"  # of the numbers of bins, the one that is drawn; all are in match.json


def contamination_chart(run: SavedRun, check: str) -> Spec | None:
    """Return a check's value in each source with its interval and threshold; None where it ran on none or found nothing worth a look."""
    shown = check_of(check)
    rows: list[dict[str, Any]] = []
    thresholds = set()
    for name in run.names:
        result = run.checks(name).get(check, {})
        value = result.get("value")
        if result.get("severity") in (None, "not_run") or not isinstance(value, int | float):
            continue
        low, high = result.get("interval") or (value, value)
        rows.append(row(name, run.role(name), float(value), low, high) | {"severity": result["severity"]})
        thresholds.add(result.get("threshold"))
    if not rows or all(found["severity"] == "ok" for found in rows):
        return None
    # Sources that reach different levels state different thresholds; a line is drawn only where there is one.
    stated = [float(found) for found in thresholds if isinstance(found, int | float)]
    threshold = stated[0] if len(stated) == 1 else None
    return interval_plot(rows, shown.title, threshold, inside_below=True, share=shown.unit == "share")


def matching_chart(run: SavedRun, statistic: str) -> Spec | None:
    """Return a statistic once psi is made equal, by estimator and source; None where `negaudit match` was not run."""
    import altair as alt

    found = run.others.get("match", {})
    rows = []
    for estimator, means in _estimators(found):
        for name in found.get("sources", []):
            value = means.get(name, {}).get(statistic)
            if value is None or value.get("value") is None:
                continue
            low, high = value.get("interval") or (value["value"], value["value"])
            role = run.role(name) if name in run.sources else "candidate"
            rows.append(row(name, role, value["value"], low, high) | {"estimator": estimator})
    if not rows:
        return None
    estimators = list(dict.fromkeys(r["estimator"] for r in rows))
    y = alt.Y("source:N", sort=found["sources"], title=None, axis=alt.Axis(labelLimit=150))
    legend = alt.Legend(title=None, orient="bottom", columns=1)
    color = alt.Color("estimator:N", sort=estimators, legend=legend)
    base = chart_of(rows).encode(y=y, yOffset=alt.YOffset("estimator:N", sort=estimators), color=color)
    shape = alt.Shape("estimator:N", sort=estimators, legend=legend)
    scale = alt.Scale(zero=False)
    tooltip = ["source:N", "estimator:N", *(alt.Tooltip(f"{key}:Q", format=".3f") for key in ("value", "low", "high"))]
    lines = base.mark_rule(strokeWidth=2, opacity=0.75).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    x = alt.X("value:Q", title=statistic, scale=scale, axis=alt.Axis(tickCount=5))
    points = base.mark_point(size=55, filled=True).encode(x=x, shape=shape, tooltip=tooltip)
    layered = alt.layer(lines, points).properties(height=alt.Step(10, **{"for": "offset"}))
    return specification(layered, f"{statistic} of each source before and after psi is made equal, with 95 % intervals")


def stability_chart(run: SavedRun, statistic: str) -> Spec | None:
    """Return how often a sample of a given size has the order of the whole; None where `negaudit stability` was not run."""
    import altair as alt

    curve = run.others.get("stability", {}).get("statistics", {}).get(statistic, {}).get("curve") or []
    rows = []
    for point in curve:
        low, high = point.get("interval") or (point["same"], point["same"])
        rows.append({"records": point["records"], "same": point["same"], "low": low, "high": high})
    if not rows:
        return None
    base = chart_of(rows, height=220).encode(x=alt.X("records:Q", title="records in the sample"))
    domain = alt.Scale(domain=[0, 1])
    band = base.mark_area(opacity=0.25).encode(y=alt.Y("low:Q", scale=domain), y2="high:Q")
    line = base.mark_line(point=True).encode(
        y=alt.Y("same:Q", title="samples in the full order", scale=domain, axis=alt.Axis(format="%")),
        tooltip=["records:Q", *(alt.Tooltip(f"{key}:Q", format=".0%") for key in ("same", "low", "high"))],
    )
    return specification(alt.layer(band, line), f"Share of samples of each size that order the sources by {statistic} as the whole does")


def resolution(found: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the number of bins that is shown of match.json, and what was found with it; empty where nothing was matched by bins."""
    binned = found.get("binned") or {}
    bins = MATCHED if MATCHED in binned else max(binned, key=int, default="")
    return bins, binned.get(bins, {})


def _estimators(found: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the estimators of match.json by the name that is shown, each with its means by source."""
    parts: list[tuple[str, Mapping[str, Any]]] = [("as observed", found.get("observed", {}).get("sources", {}))]
    bins, binned = resolution(found)
    if binned:
        means = {
            name: {s: {"value": value.get("mean"), "interval": value.get("interval")} for s, value in statistics.items()}
            for name, statistics in binned.get("sources", {}).items()
        }
        parts.append((f"matched in {bins} bins", means))
    return [
        *parts,
        ("weighted", found.get("weighted", {}).get("means", {})),
        ("regression", found.get("regression", {}).get("means", {})),
    ]
