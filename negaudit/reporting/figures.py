"""Which charts a report has and what each one is called: the specifications by place in the page, with captions in words."""

from __future__ import annotations

from dataclasses import dataclass

from negaudit.reporting.chart_parts import Spec
from negaudit.reporting.charts import density_chart, distribution_chart, map_chart, profile_chart
from negaudit.reporting.further_charts import contamination_chart, matching_chart, stability_chart
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import PROFILE, check_of


@dataclass(frozen=True)
class Figure:
    """One chart: its key in the page, title, caption, and specification."""

    key: str
    title: str
    caption: str
    spec: Spec


def profile_figures(run: SavedRun) -> list[Figure]:
    """Return a chart per statistic of the profile that was measured."""
    charts = [(s, profile_chart(run, s)) for s in PROFILE]
    return [Figure(f"profile-{s.short}", s.short, s.meaning, spec) for s, spec in charts if spec]


def distribution_figures(run: SavedRun) -> list[Figure]:
    """Return the distributions of psi, rho and eta, as far as they were measured."""
    charts = [(s, distribution_chart(run, s.short)) for s in PROFILE[:3]]
    return [Figure(f"distribution-{s.short}", s.short, s.meaning, spec) for s, spec in charts if spec]


def map_figures(run: SavedRun) -> list[Figure]:
    """Return the map of means, and where the pairs of one chosen source lie in it."""
    means, density = map_chart(run), density_chart(run)
    found = []
    if means:
        caption = "Up and to the right looks better and is where unrelated passages lie. The shaded corner is inside the envelope."
        found.append(Figure("map", "Means of all sources", caption, means))
    if density:
        found.append(Figure("density", "Pairs of one source", "The darker a cell, the more of the source's pairs lie there.", density))
    return found


def contamination_figures(run: SavedRun) -> list[Figure]:
    """Return a chart per check that found something in some source."""
    charts = [(check, contamination_chart(run, check)) for check in run.check_names]
    return [Figure(f"check-{check}", check_of(check).title, check_of(check).looks_for, spec) for check, spec in charts if spec]


def matching_figures(run: SavedRun) -> list[Figure]:
    """Return the statistics after psi is made equal; empty where that was not run."""
    statistics = [s for s in PROFILE if s.key != "mean_psi"]
    charts = [(s, matching_chart(run, s.key)) for s in statistics]
    return [Figure(f"match-{s.short}", f"{s.short} once psi is equal", s.meaning, spec) for s, spec in charts if spec]


def stability_figures(run: SavedRun) -> list[Figure]:
    """Return how often smaller samples order the sources as the whole does; empty where that was not run."""
    found = []
    for s in PROFILE:
        spec = stability_chart(run, s.key)
        if spec:
            found.append(Figure(f"stability-{s.short}", f"order by {s.short}", "share of smaller samples in the order of the whole", spec))
    return found
