"""The table of sources as data: verdict, rank with ties, counts, and each statistic with its interval and its flag."""

from __future__ import annotations

from typing import Any

from negaudit.reporting.objections import USABLE_WORDS
from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import PROFILE, ROLE_SIGNS, ROLE_WORDS, interval_words, number, percent, scored

USABLE_SIGNS = {"yes": "✓", "with care": "!", "no": "✕", "undecidable": "?", "control": "▲"}
BUCKETS = {
    "inversion": "negative ranked above the positive",
    "low_locality": "far from the positive (eta ≤ 0.25)",
    "high_coverage": "holds half of the query's words or more",
    "valid_high_coverage": "near, preferred, and covering half of the query",
    "valid_low_locality": "preferred, hardly covering, far from the positive",
}


def source_rows(run: SavedRun) -> list[dict[str, Any]]:
    """Return a row per source, in the run's order."""
    ranks = tied_ranks(run)
    return [_row(run, name, ranks) for name in run.names]


def tied_ranks(run: SavedRun) -> dict[str, tuple[int, bool]]:
    """Return each ranked source's place, and whether it shares it with another."""
    ranks: dict[str, tuple[int, bool]] = {}
    place = 1
    for group in (run.audit or {}).get("ranking") or []:
        names = [group] if isinstance(group, str) else list(group)
        ranks |= {name: (place, len(names) > 1) for name in names}
        place += len(names)
    return ranks


def _row(run: SavedRun, name: str, ranks: dict[str, tuple[int, bool]]) -> dict[str, Any]:
    source, role, verdict = run.sources[name], run.role(name), run.audited(name).get("verdict", {})
    usable = str(verdict.get("usable") or ("control" if role == "control" else "undecidable"))
    place, shared = ranks.get(name, (0, False))
    found = [result.get("severity") for result in run.checks(name).values()]
    return {
        "name": name,
        "role": role,
        "role_sign": ROLE_SIGNS[role],
        "role_words": ROLE_WORDS[role],
        "usable": usable,
        "usable_sign": USABLE_SIGNS.get(usable, "?"),
        "usable_words": USABLE_WORDS.get(usable, usable),
        "why": "; ".join(verdict.get("why") or ()),
        "place": place,
        "place_words": f"{place}{'=' if shared else ''}" if place else "–",
        "records": scored(source["records"]),
        "records_value": source["records"]["scored"],
        "negatives": scored(source["negatives"]),
        "negatives_value": source["negatives"]["scored"],
        "statistics": [_statistic(run, name, statistic.key) for statistic in PROFILE if _measured_anywhere(run, statistic.key)],
        "faults": found.count("error"),
        "warnings": found.count("warn"),
        "tried": len(found) - found.count("not_run"),
    }


def _statistic(run: SavedRun, name: str, key: str) -> dict[str, Any]:
    source = run.sources[name]
    flag = run.audited(name).get("flags", {}).get(key)
    return {
        "value": source.get(key),
        "text": number(source.get(key)),
        "interval": interval_words(source.get("intervals", {}).get(key)),
        "outside": flag is not None,
        "threshold": number((flag or {}).get("threshold")),
    }


def _measured_anywhere(run: SavedRun, key: str) -> bool:
    return any(source.get(key) is not None for source in run.sources.values())


def headings(run: SavedRun) -> list[dict[str, str]]:
    """Return the statistics that the table shows: short name and meaning."""
    return [{"key": s.key, "short": s.short, "meaning": s.meaning} for s in PROFILE if _measured_anywhere(run, s.key)]


def envelope_bounds(run: SavedRun) -> list[str]:
    """Return the envelope's bound of each statistic in the table, a dash where it has none."""
    envelope = (run.audit or {}).get("envelope", {})
    shown = [s for s in PROFILE if _measured_anywhere(run, s.key)]
    return [f"{'≤' if s.above else '≥'} {number(envelope[s.key])}" if envelope.get(s.key) is not None else "–" for s in shown]


def bucket_rows(run: SavedRun) -> tuple[list[tuple[str, str]], list[dict[str, Any]]]:
    """Return the failure buckets that were measured with what they mean, and a row per source with the share of its pairs in each."""
    keys = [key for key in BUCKETS if any(key in source.get("buckets", {}) for source in run.sources.values())]
    rows = []
    for name in run.names:
        found = run.sources[name].get("buckets", {})
        rows.append({"name": name, "values": [(found.get(key), percent(found[key]) if key in found else "–") for key in keys]})
    return [(key, BUCKETS[key]) for key in keys], rows
