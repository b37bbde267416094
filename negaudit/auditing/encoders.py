"""The criterion under several encoders, and the one ranking of all sources: which controls a score prefers to the best genuine one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from negaudit.auditing.criterion import criteria, source_scores
from negaudit.data.atomic import write_json
from negaudit.data.manifest import read_manifest
from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.weightings import WEIGHTINGS

SCHEMA = "negaudit.criterion/1"


def criterion(
    runs: Mapping[str, Mapping[str, Any]],
    *,
    weighting: str = "composite",
    genuine: Iterable[str] = (),
    controls: Iterable[str] = (),
    out: Path | None = None,
) -> dict[str, Any]:
    """Return the stringent criterion for every weighting in every run (the paper, table 4) and one ranking of all sources (table 5).

    `runs` holds the summary of a scored run (its summary.json) by a name of the encoder. `genuine` and `controls` name sources whose
    role is given here, whatever their files say; where none is genuine, all that are no controls are. In the result, `criterion` goes
    by weighting and run; `ranking` lists the sources by their mean rank under `weighting`, with score and rank in each run. With `out`
    it is written there as JSON.

    Raises NegauditError for an unknown weighting or source, where runs hold different sources, and where nothing is a control.
    """
    if not runs:
        raise NegauditError("there is no run to hold the criterion against; give at least one folder that `negaudit score` wrote")
    if weighting not in (known := ("mean_psi", "trace", *WEIGHTINGS)):
        raise unknown_name("weighting", weighting, known)
    roles = _roles(runs, genuine, controls)
    known_good, built = _sides(roles)
    found = {run: criteria(summary, known_good, built) for run, summary in runs.items()}
    if all(weighting not in by_variant for by_variant in found.values()):
        raise NegauditError(f"no run was scored with an encoder, which {weighting} needs; score with --encoder, or rank by mean_psi")
    body = {
        "schema": SCHEMA,
        "weighting": weighting,
        "genuine": sorted(known_good),
        "controls": sorted(built),
        "criterion": {
            variant: {run: by_variant[variant] for run, by_variant in found.items() if variant in by_variant}
            for variant in max(found.values(), key=len)
        },
        "ranking": _ranking({run: source_scores(summary).get(weighting) for run, summary in runs.items()}, roles),
    }
    if out is not None:
        write_json(out, body)
    return body


def load_criterion(path: Path) -> dict[str, Any]:
    """Return what `criterion` wrote to `path`; raises NegauditError where it is missing or of another schema."""
    return read_manifest(path, SCHEMA, "negaudit criterion")


def _sides(roles: Mapping[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the genuine sources (where none is, all but the controls) and the controls."""
    built = frozenset(name for name, role in roles.items() if role == "control")
    known_good = frozenset(n for n, role in roles.items() if role == "genuine") or frozenset(n for n in roles if n not in built)
    if not built or not known_good:
        lacking = "control" if not built else "genuine source"
        raise NegauditError(f"no source is a {lacking}; the criterion holds controls against genuine sources: build some, or name them")
    return known_good, built


def _ranking(by_run: Mapping[str, Mapping[str, float] | None], roles: Mapping[str, str]) -> list[dict[str, Any]]:
    scores = {run: values for run, values in by_run.items() if values is not None}
    ranks = {
        run: {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()} for run, values in scores.items()
    }
    mean = {name: sum(by_name[name] for by_name in ranks.values()) / len(ranks) for name in roles}
    return [
        {
            "source": name,
            "role": roles[name],
            "mean_rank": mean[name],
            "scores": {run: values[name] for run, values in scores.items()},
            "ranks": {run: by_name[name] for run, by_name in ranks.items()},
        }
        for name in sorted(roles, key=lambda name: (mean[name], name))
    ]


def _roles(runs: Mapping[str, Mapping[str, Any]], genuine: Iterable[str], controls: Iterable[str]) -> dict[str, str]:
    """Return each source's role; the runs must hold the same sources."""
    (first, summary), *others = runs.items()
    roles = {name: str(source["role"]) for name, source in summary["sources"].items()}
    for run, other in others:
        odd = sorted(roles.keys() ^ other["sources"].keys())
        if odd:
            raise NegauditError(
                f"runs '{first}' and '{run}' hold different sources ({', '.join(odd)}); score the same ones under each encoder"
            )
    for role, names in (("genuine", genuine), ("control", controls)):
        for name in names:
            if name not in roles:
                raise unknown_name("source", name, roles)
            roles[name] = role
    return roles
