"""What the charts share: rows of the run's numbers, colour and shape by role, values with intervals, the finished specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from negaudit.data.summary_shape import ROLES
from negaudit.reporting.saved_run import SavedRun

if TYPE_CHECKING:
    import altair as alt

Spec = dict[str, Any]
ROLE_SHAPES = ["circle", "diamond", "triangle-up"]
STEP = 24


def rows_of(run: SavedRun, statistic: str) -> list[dict[str, Any]]:
    """Return a row per source: its role, the statistic, its interval (the value itself where there is none) and the denominators."""
    rows = []
    for name in run.names:
        source = run.sources[name]
        value = source.get(statistic)
        low, high = source.get("intervals", {}).get(statistic) or (value, value)
        rows.append(row(name, run.role(name), value, low, high) | {"records": source["records"]["scored"]})
    return rows


def row(source: str, role: str, value: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    """Return one row of an interval plot, rounded to what can be seen."""
    parts = {"value": value, "low": low, "high": high}
    return {"source": source, "role": role} | {key: None if part is None else round(float(part), 5) for key, part in parts.items()}


def chart_of(rows: Sequence[Mapping[str, Any]], **properties: Any) -> alt.Chart:
    """Return an empty chart over rows that are written into the specification."""
    import altair as alt

    return alt.Chart(alt.Data(values=list(rows)), **properties)  # type: ignore[no-untyped-call]


def by_role(field: str) -> alt.Color:
    """Return the colour of a role; the colours themselves come from the page's light or dark theme."""
    import altair as alt

    return alt.Color(f"{field}:N", legend=None, scale=alt.Scale(domain=list(ROLES)))


def interval_plot(
    rows: Sequence[Mapping[str, Any]], title: str, threshold: float | None, *, inside_below: bool, share: bool = False
) -> Spec:
    """Return a point and an interval per source, with the side of the threshold that is not flagged shaded."""
    import altair as alt

    values = [row[key] for row in rows for key in ("low", "high", "value") if row[key] is not None] + ([threshold] if threshold else [])
    room = max(0.08 * (max(values) - min(values)), 0.01)
    low, high = max(0.0, min(values) - room), max(values) + room
    scale = alt.Scale(domain=[round(0.0 if share else low, 4), round(high, 4)], nice=False)
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(format="%" if share else "", tickCount=5))
    y = alt.Y("source:N", sort=[row["source"] for row in rows], title=None, axis=alt.Axis(labelLimit=150))
    base = chart_of(rows).encode(y=y)
    tooltip = [alt.Tooltip(f"{field}:{kind}") for field, kind in (("source", "N"), ("role", "N"))]
    tooltip += [alt.Tooltip(f"{field}:Q", format=".1%" if share else ".3f") for field in ("value", "low", "high")]
    tooltip += [alt.Tooltip(f"{field}:N") for field in ("flag", "severity", "records") if field in rows[0]]
    parts: list[Any] = _threshold(threshold, scale, inside_below=inside_below) if threshold is not None else []
    parts.append(base.mark_rule(strokeWidth=2.5, opacity=0.75).encode(x=alt.X("low:Q", scale=scale), x2="high:Q", color=by_role("role")))
    shape = alt.Shape("role:N", legend=None, scale=alt.Scale(domain=list(ROLES), range=ROLE_SHAPES))
    parts.append(base.mark_point(size=85, filled=True, opacity=1).encode(x=x, color=by_role("role"), shape=shape, tooltip=tooltip))
    return specification(alt.layer(*parts).properties(height=alt.Step(STEP)), f"{title} of each source with its 95 % interval")


def _threshold(threshold: float, scale: alt.Scale, *, inside_below: bool) -> list[Any]:
    import altair as alt

    base = chart_of([{"at": round(threshold, 5), "edge": scale.domain[0 if inside_below else 1]}])
    area = base.mark_rect(style="inside").encode(x=alt.X("at:Q", scale=scale), x2="edge:Q")
    return [area, base.mark_rule(style="envelope").encode(x=alt.X("at:Q", scale=scale))]


def specification(chart: Any, description: str) -> Spec:
    """Return a chart as a specification as wide as its place in the page, with its description for those who do not see it."""
    import altair as alt

    with alt.data_transformers.enable("default", max_rows=None):
        spec: Spec = chart.properties(width="container").to_dict()
    return spec | {"description": description}
