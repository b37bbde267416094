"""`audit`: score sources, hold each against the genuine ones, and say whether it can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from negaudit.auditing.check_profile import CheckProfile, load_profile
from negaudit.auditing.checked_run import checked_run
from negaudit.auditing.criterion import criteria
from negaudit.auditing.envelope import Envelope, Flag, leave_one_out
from negaudit.auditing.profile import profile
from negaudit.auditing.ranking import ranked_values, ranking
from negaudit.auditing.reference import Reference, held_against, load_reference, save_envelope
from negaudit.auditing.run_checks import CheckRun
from negaudit.auditing.splithalf import split_half
from negaudit.auditing.verdict import CALLED, severity, verdict
from negaudit.data.atomic import write_json
from negaudit.data.collection import Collection
from negaudit.data.manifest import read_manifest
from negaudit.data.metadata import Role
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.run_sources import Sources, named_sources
from negaudit.scoring.scorer import load_score, score

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
        """The names of the sources with a warning or an error, controls left out: a control is meant to be flagged."""
        return self.failing("warn")

    def failing(self, level: Literal["warn", "error", "never"]) -> list[str]:
        """Return the names of the sources with a finding of at least this severity, controls left out; none for "never"."""
        said = {"warn": ("warn", "error"), "error": ("error",), "never": ()}[level]
        return [name for name, source in self.body["sources"].items() if source["severity"] in said and source["role"] != "control"]


def audit(
    sources: Sources,
    *,
    genuine: Iterable[str] = (),
    controls: Iterable[str] = (),
    encoder: FrozenEncoder | None = None,
    config: ScoreConfig | None = None,
    reference: str | Path | None = None,
    collection: Collection | None = None,
    profile: CheckProfile | str | Path | None = None,
    out: Path | None = None,
    report: Report | None = None,
) -> AuditResult:
    """Score `sources`, audit them, and with `out` write audit.json and the envelope (envelope.parquet) beside the scored run.

    `genuine` and `controls` name sources whose role is set here, whatever their files say. `reference` is a saved envelope to hold all
    sources against, in place of their own; psi is then measured with its idf. With `collection` the checks know its corpus and qrels;
    `profile` is "default", "strict" or a TOML file of thresholds. Raises NegauditError for an unknown name, for what `score` refuses, for
    a profile that cannot be read, and where encoder contract, tokenizer, tau or idf are not those that the reference holds for.
    """
    config = config or ScoreConfig()
    checks_profile = profile if isinstance(profile, CheckProfile) else load_profile(profile)
    named = with_roles(named_sources(sources), genuine, controls)
    brought = None if reference is None else load_reference(reference)
    if brought is not None:
        config = held_against(brought, config, encoder.contract.as_dict() if encoder else None)
    scored = score(named, encoder=encoder, config=config, out=out, report=report)
    if brought is not None:
        brought.check_idf(scored.summary["lexical"]["fingerprint"])
    if out is not None:
        (out / MANIFEST).unlink(missing_ok=True)  # of an earlier run, whose flags are about to be replaced
    run = CheckRun(named, config, encoder, collection, checks_profile, bool(scored.summary["lexical"]["reliable"]))
    checks = checked_run(run, out, report)
    result = AuditResult(audit_summary(scored.summary, checks=checks, reference=brought), scored.summary, out)
    result.body["check_profile"] = checks_profile.as_dict()
    for name, source in named.items():
        result.body["sources"][name]["fingerprint"] = source.fingerprint()
    if out is not None:
        save_envelope(result.body, scored.summary, out, brought)
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


def audit_summary(
    summary: Mapping[str, Any],
    *,
    checks: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    reference: Reference | None = None,
) -> dict[str, Any]:
    """Return the audit of a scored run as JSON-ready data; a pure function of its summary.json, of what the checks found (by source and
    check) and of the envelope that was brought along, if any.
    """
    roles = {name: str(source["role"]) for name, source in summary["sources"].items()}
    profiles = {name: profile(source) for name, source in summary["sources"].items()}
    groups = {name: source.get("groups") for name, source in summary["sources"].items()}
    known_good = [name for name, role in roles.items() if role == "genuine"] or [name for name, role in roles.items() if role != "control"]
    if reference is None:
        genuine = {name: profiles[name] for name in known_good}
        envelope, errors = Envelope.of(genuine, {n: found for n in genuine if (found := groups[n])}), leave_one_out(genuine)
    else:
        genuine, envelope, errors = {}, reference.envelope, reference.leave_one_out
    found = {name: dict((checks or {}).get(name, {})) for name in roles}
    flags = {name: envelope.flags(values, groups[name]) for name, values in profiles.items()}
    encoded = summary["encoder"] is not None
    verdicts = {
        name: verdict(role, flags[name], errors, found[name], judged=name not in genuine, encoded=encoded) for name, role in roles.items()
    }
    ranked = [n for n, role in roles.items() if role != "control" and verdicts[n].usable != "no" and not any(f.clear for f in flags[n])]
    return {
        "schema": SCHEMA,
        "score_hash": summary["config_hash"],
        "sources": {
            name: {
                "role": role,
                "profile": profiles[name],
                "flags": {flag.statistic: _flag(flag) for flag in flags[name]},
                "checks": found[name],
                "severity": severity(flags[name], found[name]),
                "verdict": {**asdict(verdicts[name]), "called": CALLED[verdicts[name].usable]},
            }
            for name, role in roles.items()
        },
        "envelope": dict(envelope.thresholds),
        "envelope_sources": list(envelope.sources),
        "reference": None if reference is None else {"hash": reference.hash},
        "leave_one_out": {name: [flag.statistic for flag in found] for name, found in errors.items()},
        "split_half": split_half(envelope.groups),
        "criterion": criteria(summary, frozenset(known_good), frozenset(n for n, role in roles.items() if role == "control")),
        "ranking": ranking(summary, ranked),
        "ranked": ranked_values(summary, ranked),
        "caution": CAUTION,
    }


def _flag(flag: Flag) -> dict[str, Any]:
    return {"value": flag.value, "threshold": flag.threshold, "clear": flag.clear, "far": flag.far}


def load_audit(folder: Path) -> AuditResult:
    """Return the audit that was written to `folder`; raises NegauditError where there is none or it is of another schema."""
    body = read_manifest(folder / MANIFEST, SCHEMA, "negaudit audit")
    return AuditResult(body, load_score(folder).summary, folder)
