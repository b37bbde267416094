"""`audit`: score sources, hold each against the genuine ones, and say whether it can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from negaudit.auditing.criterion import stringent
from negaudit.auditing.envelope import Envelope, leave_one_out
from negaudit.auditing.profile import profile
from negaudit.auditing.ranking import ranking
from negaudit.auditing.verdict import verdict
from negaudit.data.atomic import write_json
from negaudit.data.manifest import read_manifest
from negaudit.data.metadata import Role
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.run_sources import Sources, named_sources
from negaudit.scoring.scorer import load_score, score
from negaudit.scoring.weightings import WEIGHTINGS

if TYPE_CHECKING:
    from negaudit.encoding.encoder import FrozenEncoder

SCHEMA = "negaudit.audit/1"
MANIFEST = "audit.json"
CAUTION = (
    "Within genuine sources mean psi tracks how well a retriever transfers after training. That is an association, not a cause, "
    "and constructed bad sources score well on it too: the psi of a flagged source ranks nothing."
)
Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class AuditResult:
    """An audit: `body` is the JSON document audit.json, `summary` that of the scored run, `folder` where they are (None: not written)."""

    body: dict[str, Any]
    summary: dict[str, Any]
    folder: Path | None = None

    @property
    def flagged(self) -> list[str]:
        """The names of the sources with a flag, controls left out: a control is meant to be flagged."""
        return [name for name, source in self.body["sources"].items() if source["flags"] and source["role"] != "control"]


def audit(
    sources: Sources,
    *,
    genuine: Iterable[str] = (),
    controls: Iterable[str] = (),
    encoder: FrozenEncoder | None = None,
    config: ScoreConfig | None = None,
    out: Path | None = None,
    report: Report | None = None,
) -> AuditResult:
    """Score `sources`, audit them, and with `out` write audit.json beside the scored run.

    `genuine` and `controls` name sources whose role is set here, whatever their files say. Raises NegauditError for an unknown name,
    and for what `score` refuses.
    """
    named = with_roles(named_sources(sources), genuine, controls)
    scored = score(named, encoder=encoder, config=config, out=out, report=report)
    result = AuditResult(audit_summary(scored.summary), scored.summary, out)
    if out is not None:
        write_json(out / MANIFEST, result.body)
    return result


def with_roles(named: Mapping[str, NegativeSource], genuine: Iterable[str], controls: Iterable[str]) -> dict[str, NegativeSource]:
    """Return the sources with the roles that the two lists give; a name in both is an error, as is one that is no source."""
    given: dict[str, Role] = {}
    for role, names in (("genuine", genuine), ("control", controls)):
        for name in names:
            if name not in named:
                raise unknown_name("source", name, named)
            if given.get(name, role) != role:
                raise NegauditError(f"source '{name}' is named both genuine and control; it can be one of them")
            given[name] = role  # type: ignore[assignment]
    return {name: source.with_role(given.get(name, source.role)) for name, source in named.items()}


def audit_summary(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the audit of a scored run as JSON-ready data; a pure function of its summary.json."""
    roles = {name: source["role"] for name, source in summary["sources"].items()}
    profiles = {name: profile(source) for name, source in summary["sources"].items()}
    known_good = [name for name, role in roles.items() if role == "genuine"]
    makers = known_good or [name for name, role in roles.items() if role != "control"]
    genuine = {name: profiles[name] for name in makers}
    envelope, errors = Envelope.of(genuine), leave_one_out(genuine)
    flags = {name: envelope.flags(values) for name, values in profiles.items()}
    encoded = summary["encoder"] is not None
    verdicts = {name: verdict(role, flags[name], errors, judged=name not in genuine, encoded=encoded) for name, role in roles.items()}
    unflagged = [name for name, role in roles.items() if role != "control" and not flags[name]]
    return {
        "schema": SCHEMA,
        "score_hash": summary["config_hash"],
        "sources": {
            name: {
                "role": role,
                "profile": profiles[name],
                "flags": {flag.statistic: {"value": flag.value, "threshold": flag.threshold} for flag in flags[name]},
                "checks": {},
                "verdict": asdict(verdicts[name]),
            }
            for name, role in roles.items()
        },
        "envelope": dict(envelope.thresholds),
        "envelope_sources": list(envelope.sources),
        "leave_one_out": {name: [flag.statistic for flag in found] for name, found in errors.items()},
        "criterion": _criteria(summary, frozenset(makers), frozenset(n for n, role in roles.items() if role == "control")),
        "ranking": ranking(summary, unflagged),
        "caution": CAUTION,
    }


def _criteria(summary: Mapping[str, Any], genuine: frozenset[str], controls: frozenset[str]) -> dict[str, Any]:
    """Return the stringent criterion by weighting; empty without an encoder, a genuine source or a control."""
    if summary["encoder"] is None:
        return {}
    found = {}
    for weighting in WEIGHTINGS:
        scores = {name: source["eci"][weighting]["logdet"] for name, source in summary["sources"].items()}
        result = stringent(scores, genuine, controls)
        if result:
            found[weighting] = {"holds": result.holds, "violators": list(result.violators), "ranking": [name for name, _ in result.ranking]}
    return found


def load_audit(folder: Path) -> AuditResult:
    """Return the audit that was written to `folder`; raises NegauditError where there is none or it is of another schema."""
    body = read_manifest(folder / MANIFEST, SCHEMA, "negaudit audit")
    return AuditResult(body, load_score(folder).summary, folder)
