"""Sources by checks: what each check found in each source, with sign, value and interval, and the weightings that controls break."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.reporting.saved_run import SavedRun
from negaudit.reporting.wording import SEVERITIES, check_of, interval_words, measured


def check_columns(run: SavedRun) -> list[dict[str, str]]:
    """Return the checks as columns: key, title and what each looks for."""
    return [{"key": name, "title": check_of(name).title, "looks_for": check_of(name).looks_for} for name in run.check_names]


def check_rows(run: SavedRun) -> list[dict[str, Any]]:
    """Return a row per source with a cell per check."""
    return [
        {"name": name, "role": run.role(name), "cells": [_cell(name, check, run.checks(name).get(check)) for check in run.check_names]}
        for name in run.names
    ]


def _cell(source: str, check: str, result: Mapping[str, Any] | None) -> dict[str, Any]:
    if result is None:
        result = {"severity": "not_run", "reason": "it was not tried on this source"}
    severity = SEVERITIES.get(str(result.get("severity")), SEVERITIES["not_run"])
    unit = check_of(check).unit
    held = interval_words(result.get("interval"), unit)
    value = "" if result.get("value") is None else measured(result["value"], unit)
    parts = [f"{source}, {check_of(check).title}: {severity.word}"]
    parts += [f"value {value}" if value else "", f"95 % interval {held}" if held else ""]
    threshold, count = result.get("threshold"), result.get("count")
    parts += [f"threshold {measured(threshold, unit)}" if threshold is not None else "", f"{count:,} negatives flagged" if count else ""]
    parts.append(str(result.get("reason") or ""))
    return {
        "severity": severity.key,
        "sign": severity.sign,
        "word": severity.word,
        "value": value,
        "interval": held,
        "count": count,
        "title": "; ".join(part for part in parts if part),
    }


def criterion_rows(run: SavedRun) -> list[dict[str, Any]]:
    """Return for each weighting whether every control ranks below every genuine source, and which controls do not."""
    found = (run.audit or {}).get("criterion") or {}
    return [
        {"weighting": name, "holds": bool(result["holds"]), "violators": list(result.get("violators") or [])}
        for name, result in found.items()
        if isinstance(result, Mapping) and "holds" in result
    ]
