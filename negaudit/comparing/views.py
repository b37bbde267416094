"""The documents of comparisons as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from negaudit.comparing.grid import Cell, Grid
from negaudit.errors import unknown_name

SHORT = {"mean_psi": "psi", "mean_rho": "rho", "mean_eta": "eta", "inversion_rate": "inversion"}
SHORT |= {"eci.composite.logdet": "ECI log-det", "eci.composite.trace": "ECI trace"}
ABREAST = 5
TIES = "= joins sources whose difference was not found (paired over shared queries, Holm-corrected, 95 %)"


def comparison_grids(body: Mapping[str, Any], *, tidy: bool = False) -> list[Grid]:
    """Return the tables of any document of `compare`, `agreement`, `match`, `stability` or `slices`, by its schema.

    `tidy` ones have one number per field, as programs like them.
    """
    views: dict[str, Callable[[Mapping[str, Any]], list[Grid]]] = {
        "negaudit.compare/1": _one_per_row if tidy else _side_by_side,
        "negaudit.agreement/1": _agreement,
        "negaudit.match/1": _match,
        "negaudit.stability/1": _with_curve if tidy else _stability,
        "negaudit.slices/1": _slices,
    }
    if body.get("schema") not in views:
        raise unknown_name("schema", str(body.get("schema")), views)
    return views[body["schema"]](body)


def _side_by_side(body: Mapping[str, Any]) -> list[Grid]:
    """One row per statistic, one column per source (a few to a table), and the order of the sources by each statistic."""
    grids = []
    names = list(body["sources"])
    for first in range(0, len(names), ABREAST):
        some = names[first : first + ABREAST]
        rows = [[s, *(_with_interval(body["sources"][name]["statistics"][s]) for name in some)] for s in body["statistics"]]
        grids.append(Grid("Statistics with 95 % intervals over records", ("statistic", *some), rows))
    orders = [[s, r["setting"], ordered(r["groups"])] for s in body["statistics"] for r in body["rankings"][s]]
    columns = ("statistic", "setting", "order")
    return [*grids, Grid("Sources from the largest value down", columns, orders, (TIES, *body["notes"]))]


def _one_per_row(body: Mapping[str, Any]) -> list[Grid]:
    rows: list[list[Cell]] = []
    for statistic in body["statistics"]:
        for ranking in body["rankings"][statistic]:
            for name in (name for group in ranking["groups"] for name in group):
                told = body["sources"][name]["statistics"][statistic]
                rows.append([statistic, ranking["setting"], name, told["value"], *_ends(told["interval"]), *ranking["ranks"][name]])
    return [Grid("Statistics", ("statistic", "setting", "source", "value", "low", "high", "best_rank", "worst_rank"), rows)]


def _agreement(body: Mapping[str, Any]) -> list[Grid]:
    """One row per statistic and direction, like the paper's Table 4."""
    settings = list(dict.fromkeys(block["setting"] for block in body["blocks"]))
    rows: list[list[Cell]] = []
    for row in body["rows"]:
        per_setting = [row["settings"].get(setting, {}).get(key) for key in ("pearson", "kendall") for setting in settings]
        counts = [f"{row['recovered']}/{row['blocks']}", f"{row['pairs_recovered']}/{row['pairs']}"]
        rows.append([row["statistic"], row["direction"], *counts, *per_setting])
    named = [f"{letter} ({setting})" for letter in ("r", "tau") for setting in settings]
    return [Grid("Agreement with transfer", ("statistic", "better", "blocks", "pairs", *named), rows, body["notes"], places=3)]


def _match(body: Mapping[str, Any]) -> list[Grid]:
    """The differences at equal psi in every view, then what matching by bins retained and how often each ordering came out."""
    views = {"as scored": body["observed"], **{f"{bins} bins": part for bins, part in body["binned"].items()}}
    views |= {"weighted": body["weighted"], "regression": body["regression"]}
    rows: list[list[Cell]] = []
    for view, part in views.items():
        for statistic, differences in part["differences"].items():
            rows += [[view, statistic, *_difference(d)] for d in differences]
    bins: list[list[Cell]] = []
    orders: list[list[Cell]] = []
    for count, part in body["binned"].items():
        gaps = [part["imbalance"]["psi_gap"], part["imbalance"]["largest_bin_gap"]]
        for name, means in part["sources"].items():
            bins.append([int(count), name, part["retained"], part["share"][name], *(means[s]["mean"] for s in body["statistics"]), *gaps])
        orders += [[int(count), s, order, n] for s, found in part["orderings"].items() for order, n in found.items()]
    sizes = [[name, told["effective_sample_size"], told["share_of_support"]] for name, told in body["weighted"]["sources"].items()]
    shown = tuple(SHORT.get(s, s) for s in body["statistics"])
    return [
        Grid("Differences at equal psi", ("view", "statistic", "first", "second", "difference", "low", "high", "p (Holm)", "found"), rows),
        Grid("Matched by bins", ("bins", "source", "retained", "share", *shown, "psi gap", "gap in a bin"), bins),
        Grid("Orderings over repetitions", ("bins", "statistic", "order", "repetitions"), orders),
        Grid("Weights", ("source", "effective size", "share of support"), sizes, body["notes"]),
    ]


def _stability(body: Mapping[str, Any]) -> list[Grid]:
    """The order at 25, 50, 75, 100 % and how many records it takes."""
    rows: list[list[Cell]] = []
    for statistic, told in body["statistics"].items():
        needed = told["records_needed"]
        for share, part in told["fractions"].items():
            rows.append(
                [statistic, f"{share} %", part["records"], " > ".join(part["order"]), part["kendall"], "yes" if part["same"] else "no"]
            )
        rows.append(
            [statistic, "needed", needed["median"], f"95 % of draws: {needed['interval'][0]} to {needed['interval'][1]}", None, None]
        )
    columns = ("statistic", "sample", "records", "order", "Kendall with all", "same")
    return [Grid("The order in growing samples", columns, rows, body["notes"], places=3)]


def _with_curve(body: Mapping[str, Any]) -> list[Grid]:
    """The same, and how many draws of each size have the full order: for programs, since people see it as a chart in the report."""
    points = [(statistic, point) for statistic, told in body["statistics"].items() for point in told["curve"]]
    rows: list[list[Cell]] = [[statistic, point["records"], point["same"], *point["interval"]] for statistic, point in points]
    return [*_stability(body), Grid("Share of draws in the full order", ("statistic", "records", "same", "low", "high"), rows)]


def _slices(body: Mapping[str, Any]) -> list[Grid]:
    """Every slice's order, and the slices that reverse the overall one."""
    rows: list[list[Cell]] = []
    for by, parts in body["slices"].items():
        for part in parts:
            for statistic, told in part["statistics"].items():
                values = ", ".join(f"{name} {v['value']:.3f}" for name, v in told["sources"].items())
                rows.append([by, part["value"], sum(part["negatives"].values()), statistic, ordered(told["groups"]), values])
    wrong = [[r["by"], r["value"], r["statistic"], *_difference(r["overall"])[:3], *_difference(r["here"])[2:5]] for r in body["reversals"]]
    columns = ("by", "slice", "statistic", "first", "second", "overall", "here", "low", "high")
    return [
        Grid("Slices", ("by", "slice", "negatives", "statistic", "order", "values"), rows, (TIES,)),
        Grid("Slices that reverse the overall order", columns, wrong, body["notes"]),
    ]


def ordered(groups: Sequence[Sequence[str]]) -> str:
    """Return groups of sources as one line, "a > b = c"."""
    return " > ".join(" = ".join(group) for group in groups)


def _difference(d: Mapping[str, Any]) -> list[Cell]:
    return [d["first"], d["second"], d["difference"], *_ends(d["interval"]), d["p_holm"], "yes" if d["found"] else "no"]


def _ends(interval: Sequence[float] | None) -> list[Cell]:
    return list(interval) if interval else [None, None]


def _with_interval(told: Mapping[str, Any]) -> str:
    value, interval = told["value"], told["interval"]
    return f"{value:.4g}" if interval is None else f"{value:.4g} [{interval[0]:.4g}, {interval[1]:.4g}]"
