"""Saved runs for the report's tests: a real one widened to many sources, with every document that there is."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.data.source import NegativeSource
from negaudit.reporting.wording import CHECKS

SEVERITIES = ("ok", "info", "warn", "error", "not_run")
NASTY = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    '<img src=x onerror="window.hacked = 3">',
    "[a link](javascript:window.hacked=4) javascript:alert(1)",
    "<!-- <a href='javascript:window.hacked=5'>x</a> -->",
    "quotes: ' \" ` ´ ‘ ’ “ ” „ « » ‹ › &quot; &#39; &lt;b&gt;",
    "{{ 7 * 7 }} {% raw %} ${7*7} | a | b | \\ \u2028 \u202e backwards",
)


CANDIDATES = {
    "no": "about a quarter of its negatives look like passages drawn at random",
    "with care": "some of its negatives are labelled positives of another query",
    "undecidable": "the checks that need a collection were not run",
    "yes": "its means lie inside the envelope of the genuine sources",
}


def widened(run: Path, folder: Path, count: int, *, nasty: bool = False) -> Path:
    """Write the run in `folder` with `count` sources: real numbers of `run` under new names, and every further document by its contract."""
    folder.mkdir(parents=True, exist_ok=True)
    summary, audit = (json.loads((run / name).read_text(encoding="utf-8")) for name in ("summary.json", "audit.json"))
    draw = random.Random(7)
    models = list(summary["sources"])
    names = [f"{models[at % len(models)]}_{at:02d}" for at in range(count)]
    if nasty:
        names[:2] = [NASTY[0], NASTY[5]]
    of = {name: models[at % len(models)] for at, name in enumerate(names)}
    summary["sources"] = {name: summary["sources"][of[name]] for name in names}
    summary["differences"] = {"mean_psi": {a: {b: [0.01, 0.03] for b in names[at + 1 :]} for at, a in enumerate(names)}}
    audit["sources"] = {name: {**audit["sources"][of[name]], "checks": _checks(draw, nasty=nasty)} for name in names}
    for at, (usable, why) in enumerate(CANDIDATES.items()):
        body = audit["sources"][names[-1 - at]]
        body |= {"role": "candidate", "verdict": {"usable": usable, "why": [why]}, "flags": {}}
    good = [name for name in names if audit["sources"][name]["verdict"]["usable"] == "yes"]
    audit["ranking"] = [[name] for name in sorted(good, key=lambda name: -summary["sources"][name]["mean_psi"])]
    for name, body in (("summary", summary), ("audit", audit), ("match", _match(names)), ("stability", _stability(names))):
        (folder / f"{name}.json").write_text(json.dumps(body), encoding="utf-8")
    _examples(run, names, of, nasty=nasty, to=folder / "examples.parquet")
    return folder


def copied(run: Path, folder: Path) -> Path:
    """Return a copy of the run's documents in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in run.glob("*.json"):
        shutil.copy(file, folder)
    return folder


def changed(folder: Path, name: str, change: Any) -> None:
    """Rewrite a document of the run by what `change` does to it."""
    path = folder / name
    body = json.loads(path.read_text(encoding="utf-8"))
    change(body)
    path.write_text(json.dumps(body), encoding="utf-8")


def _checks(draw: random.Random, *, nasty: bool) -> dict[str, Any]:
    found = {}
    for check in CHECKS:
        severity = draw.choices(SEVERITIES, (6, 2, 1, 1, 1))[0]
        if severity == "not_run":
            body = {"severity": severity, "value": None, "interval": None, "threshold": None, "count": None}
            found[check] = {**body, "reason": NASTY[1] if nasty else "it needs --dataset"}
            continue
        value = draw.random() * (0.02 if severity == "ok" else 0.3)
        found[check] = {
            "severity": severity,
            "value": value,
            "interval": [value * 0.8, value * 1.2],
            "threshold": None if severity == "ok" else 0.05,
            "count": int(value * 8000),
            "reason": NASTY[2] if nasty else "measured against passages of the corpus",
        }
    return found


def _examples(run: Path, names: list[str], of: dict[str, str], *, nasty: bool, to: Path) -> None:
    rows = []
    files = {name: next(run.glob(f"*/{name}.parquet")) for name in set(of.values())}
    first = {name: list(itertools.islice(NegativeSource.from_parquet(file).records(), 20)) for name, file in files.items()}
    for name in names:
        records = first[of[name]]
        for check in CHECKS:
            for at, record in enumerate(records):
                texts = (record.query, record.positives[0], record.negatives[0].text)
                query, positive, negative = (NASTY[(at + i) % len(NASTY)] + " " + text if nasty else text for i, text in enumerate(texts))
                row = {"source": name, "record": at, "query_id": record.query_id, "negative_index": 0, "check": check, "value": 0.25}
                rows.append(
                    {**row, "query": query, "positive": positive, "negative": negative, "query_spans": [[0, 5]], "negative_spans": []}
                )
    pq.write_table(pa.Table.from_pylist(rows), to)


def _match(names: list[str]) -> dict[str, Any]:
    statistics = ["mean_rho", "mean_eta", "inversion_rate", "mean_psi"]
    value = {
        name: {s: {"value": 0.4 + at / 50, "interval": [0.38 + at / 50, 0.42 + at / 50]} for s in statistics}
        for at, name in enumerate(names)
    }
    matched = {name: {s: {"mean": 0.5, "low": 0.49, "high": 0.51, "interval": [0.47, 0.53]} for s in statistics} for name in names}
    binned = {bins: {"retained": 700, "sources": matched} for bins in ("10", "20", "50")}
    body = {"schema": "negaudit.match/1", "config": {"bins": [10, 20, 50], "repetitions": 100, "seed": 42}, "sources": names}
    return {
        **body,
        "observed": {"sources": value},
        "binned": binned,
        "weighted": {"means": value},
        "regression": {"means": value},
        "notes": ["a note"],
    }


def _stability(names: list[str]) -> dict[str, Any]:
    curve = [
        {"records": n, "same": s, "interval": [s - 0.05, min(1.0, s + 0.05)]} for n, s in ((50, 0.6), (100, 0.8), (200, 0.97), (300, 1.0))
    ]
    return {
        "schema": "negaudit.stability/1",
        "config": {"repetitions": 200, "seed": 42},
        "statistics": {"mean_psi": {"order": names, "curve": curve}},
    }
