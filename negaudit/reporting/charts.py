"""The charts that every report has, as Vega-Lite specifications with their few numbers inside: profile, distributions, map."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from negaudit.reporting.chart_parts import ROLE_SHAPES, Spec, by_role, chart_of, interval_plot, rows_of, specification
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import Statistic, percent

if TYPE_CHECKING:
    import altair as alt

RIDGE = 0.9  # of the room between two sources, the height of the highest peak; heights are square roots, so that a small hump shows
ROW = 34


def profile_chart(run: SavedRun, statistic: Statistic) -> Spec | None:
    """Return each source's mean with its interval against the envelope; None where the statistic was not measured."""
    rows = [row for row in rows_of(run, statistic.key) if row["value"] is not None]
    if not rows:
        return None
    threshold = (run.audit or {}).get("envelope", {}).get(statistic.key)
    for row in rows:
        row["flag"] = "outside" if statistic.key in run.audited(row["source"]).get("flags", {}) else "inside"
    return interval_plot(rows, statistic.short, threshold, inside_below=statistic.above)


def distribution_chart(run: SavedRun, name: str) -> Spec | None:
    """Return the distribution of psi, rho or eta in each source, one above the other; None where it was not measured."""
    import altair as alt

    counts = {source: run.sources[source].get("histograms", {}).get(name) for source in run.names}
    shares = {source: _shares(bins) for source, bins in counts.items() if bins and sum(bins)}
    if not shares:
        return None
    names = list(shares)
    highest = max(max(found) for found in shares.values())
    rows: list[dict[str, Any]] = []
    for at, (source, found) in enumerate(shares.items()):
        for index, share in enumerate(found):
            base = len(names) - 1 - at
            height = round(base + RIDGE * math.sqrt(share / highest), 4)
            middle = round((index + 0.5) / len(found), 3)
            rows.append({"s": source, "r": run.role(source), "x": middle, "b": base, "t": height, "p": percent(share)})
    # The names stand at their baselines; Vega reads them from a list, so that no name is ever part of an expression's code.
    axis = alt.Axis(
        values=list(range(len(names))), labelExpr=f"{json.dumps(names[::-1])}[datum.value]", title=None, grid=False, ticks=False
    )
    chart = (
        chart_of(rows, height=ROW * len(names))
        .mark_area(interpolate="monotone", fillOpacity=0.55, strokeWidth=1.2, line=True)
        .encode(
            x=alt.X("x:Q", title=name, scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("b:Q", axis=axis, scale=alt.Scale(domain=[0, len(names)])),
            y2="t:Q",
            color=by_role("r"),
            detail="s:N",
            tooltip=[
                alt.Tooltip("s:N", title="source"),
                alt.Tooltip("x:Q", title=f"{name} near"),
                alt.Tooltip("p:N", title="of its pairs"),
            ],
        )
    )
    return specification(chart, f"Distribution of {name} over the scored pairs of each source")


def map_chart(run: SavedRun) -> Spec | None:
    """Return mean psi against mean rho, the controls among the sources; None without an encoder."""
    import altair as alt

    rows = [
        {
            "source": name,
            "role": run.role(name),
            "psi": round(run.sources[name]["mean_psi"], 4),
            "rho": round(run.sources[name]["mean_rho"], 4),
        }
        for name in run.names
        if run.sources[name].get("mean_rho") is not None
    ]
    if not rows:
        return None
    psi, rho = (alt.Scale(domain=_domain(field, rows), nice=False) for field in ("psi", "rho"))
    x, y = (
        alt.X("psi:Q", title="mean psi", scale=psi, axis=alt.Axis(tickCount=6)),
        alt.Y("rho:Q", title="mean rho", scale=rho, axis=alt.Axis(tickCount=6)),
    )
    base = chart_of(rows).encode(x=x, y=y)
    points = base.mark_point(size=110, filled=True).encode(
        color=by_role("role"),
        shape=alt.Shape("role:N", legend=None, scale=alt.Scale(domain=["genuine", "candidate", "control"], range=ROLE_SHAPES)),
        tooltip=["source:N", "role:N", "psi:Q", "rho:Q"],
    )
    labels = base.mark_text(align="left", dx=9, dy=-7, limit=150).encode(text="source:N")
    parts = [*_inside(run, psi, rho), points, labels]
    return specification(
        alt.layer(*parts).properties(height=340), "Mean psi against mean rho of each source, with the area inside the envelope"
    )


def density_chart(run: SavedRun) -> Spec | None:
    """Return where the pairs of one chosen source lie between psi and rho; None without an encoder."""
    import altair as alt

    rows = []
    for name in run.names:
        cells = run.sources[name].get("histograms", {}).get("psi_rho") or []
        total = sum(map(sum, cells)) or 1
        size = len(cells) or 1
        rows += [
            {"s": name, "i": i / size, "j": j / size, "n": count, "p": round(count / total, 5)}
            for i, row in enumerate(cells)
            for j, count in enumerate(row)
            if count
        ]
    if not rows:
        return None
    size = len(run.sources[run.names[0]]["histograms"]["psi_rho"])
    chosen = alt.param(name="chosen", value=run.names[0])
    cells = (
        chart_of(rows, height=340)
        .transform_filter(alt.datum.s == chosen)
        .transform_calculate(x2=f"datum.i + {1 / size}", y2=f"datum.j + {1 / size}")
        .mark_rect()
        .encode(
            x=alt.X("i:Q", title="psi", scale=alt.Scale(domain=[0, 1])),
            x2="x2:Q",
            y=alt.Y("j:Q", title="rho", scale=alt.Scale(domain=[0, 1])),
            y2="y2:Q",
            color=alt.Color("p:Q", legend=None, scale=alt.Scale(type="sqrt")),
            tooltip=[alt.Tooltip("n:Q", title="pairs", format=","), alt.Tooltip("p:Q", title="share", format=".2%")],
        )
        .add_params(chosen)
    )
    return specification(cells, "Where the pairs of the chosen source lie between psi and rho")


def _shares(bins: Sequence[int]) -> list[float]:
    total = sum(bins)
    return [count / total for count in bins]


def _domain(field: str, rows: Sequence[dict[str, Any]]) -> list[float]:
    low, high = min(row[field] for row in rows), max(row[field] for row in rows)
    room = max(0.1 * (high - low), 0.02)
    return [round(max(0, low - room), 3), round(min(1, high + room), 3)]


def _inside(run: SavedRun, psi: alt.Scale, rho: alt.Scale) -> list[Any]:
    """Return the area inside the envelope of psi and rho, where there is one."""
    import altair as alt

    envelope = (run.audit or {}).get("envelope", {})
    if envelope.get("mean_psi") is None or envelope.get("mean_rho") is None:
        return []
    corner = {"psi": round(envelope["mean_psi"], 4), "rho": round(envelope["mean_rho"], 4), "left": psi.domain[0], "low": rho.domain[0]}
    base = chart_of([corner])
    x, y = alt.X("psi:Q", scale=psi), alt.Y("rho:Q", scale=rho)
    area = base.mark_rect(style="inside").encode(x=x, x2="left:Q", y=y, y2="low:Q")
    return [area, base.mark_rule(style="envelope").encode(x=x), base.mark_rule(style="envelope").encode(y=y)]
