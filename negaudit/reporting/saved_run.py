"""A run as its files tell it: the one place where the report reads, and all that it knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negaudit.data.manifest import read_manifest
from negaudit.data.shape import misfit
from negaudit.data.summary_shape import ROLES, SUMMARY
from negaudit.errors import NegauditError
from negaudit.reporting import run_shapes
from negaudit.reporting.wording import CHECKS

SCORE, AUDIT = "negaudit.score/1", "negaudit.audit/1"
# File -> the command that writes it, named where the file is not there.
OPTIONAL = {"match": "negaudit match DIR", "stability": "negaudit stability DIR", "compare": "negaudit compare DIR"}


@dataclass(frozen=True)
class SavedRun:
    """The documents of one run; `audit` is None where it was only scored, `others` holds what further commands left."""

    folder: Path
    summary: Mapping[str, Any]
    audit: Mapping[str, Any] | None
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The folder's own name, which is all of its path that a report shows."""
        return self.folder.resolve().name

    @property
    def names(self) -> list[str]:
        """The sources: genuine ones, candidates, controls; in each the largest mean psi first."""
        return sorted(self.sources, key=lambda name: (ROLES.index(self.role(name)), -self.sources[name]["mean_psi"], name))

    @property
    def sources(self) -> Mapping[str, Any]:
        """What the summary says of each source."""
        found: Mapping[str, Any] = self.summary["sources"]
        return found

    @property
    def encoded(self) -> bool:
        """Whether an encoder had a part in it."""
        return self.summary["encoder"] is not None

    def role(self, name: str) -> str:
        """Return a source's role, the audit's word before the summary's."""
        return str(self.audited(name).get("role") or self.sources[name]["role"])

    def audited(self, name: str) -> Mapping[str, Any]:
        """Return what the audit says of a source; empty where it says nothing."""
        found: Mapping[str, Any] = (self.audit or {}).get("sources", {}).get(name, {})
        return found

    def checks(self, name: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the checks of a source by name."""
        found: Mapping[str, Mapping[str, Any]] = self.audited(name).get("checks") or {}
        return found

    @property
    def check_names(self) -> list[str]:
        """Every check that was tried on some source, those that matter most first, unknown ones last."""
        found = dict.fromkeys(check for name in self.names for check in self.checks(name))
        return sorted(found, key=lambda check: list(CHECKS).index(check) if check in CHECKS else len(CHECKS))


def load_run(folder: Path) -> SavedRun:
    """Return the run in `folder`.

    Raises NegauditError where no finished run is there. A further document that cannot be read is named in `unreadable`, and the
    report says so in its place.
    """
    summary = read_manifest(folder / "summary.json", SCORE, "negaudit score", SUMMARY)
    audited = (folder / "audit.json").exists()
    audit = read_manifest(folder / "audit.json", AUDIT, "negaudit audit", run_shapes.AUDIT) if audited else None
    if not summary.get("sources"):
        raise NegauditError(f"{folder / 'summary.json'}: it holds no source; score again with --source NAME=FILE")
    if audit is not None and audit.get("score_hash") not in (None, summary.get("config_hash")):
        raise NegauditError(f"{folder}: audit.json belongs to other scores than summary.json; run negaudit audit again")
    others: dict[str, Mapping[str, Any]] = {}
    unreadable: dict[str, str] = {}
    for name in OPTIONAL:
        try:
            found = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            if wrong := misfit(found, run_shapes.FURTHER[name]):
                raise ValueError(wrong)
            others[name] = found
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError) as error:
            unreadable[name] = " ".join(str(error).split())
    return SavedRun(folder, summary, audit, others, unreadable)
