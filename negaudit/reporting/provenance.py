"""How a run was made, for whoever wants to make it again: contract, settings, hashes, and counts with their denominators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.reporting.saved_run import OPTIONAL, SavedRun
from negaudit.reporting.wording import number, percent

LIMITS = (
    (
        "What was found about psi is an association: in the published study two orderings of sources, each seen with three encoders, one "
        "training run per condition, aggregate transfer on eleven data sets. It is no cause, and no forecast for one data set."
    ),
    "Every number describes a source. None says of a single negative that it is wrong: a flag is a reason to look.",
    "rho, eta and inversions are the opinion of one frozen encoder, at the length it read. Another encoder may see it otherwise.",
    "A source inside the envelope has means like those of the sources you called good. If those are not good, neither is it.",
    "Unrelated passages and unlabelled relevant ones can both look favourable: that is why controls are built and audited along.",
    "No relevance judgement was made here. A risk of false negatives is a risk until somebody reads the passages.",
    "Intervals are over the records that were drawn. They hold no uncertainty about training, about labels or about other data.",
)


def settings(run: SavedRun) -> list[tuple[str, str]]:
    """Return term and value of everything that fixes the run's numbers."""
    summary, lexical = run.summary, run.summary["lexical"]
    parts = [(f"config: {key}", shown(value)) for key, value in summary["config"].items()]
    parts.append(("config hash", str(summary["config_hash"])))
    encoder = summary["encoder"]
    parts += [(f"encoder: {key}", shown(value)) for key, value in encoder.items()] if encoder else [("encoder", "none: lexical only")]
    parts += [(f"lexical: {key}", shown(value)) for key, value in lexical.items()]
    if run.audit:
        parts += [(f"audit: {key}", shown(run.audit[key])) for key in ("schema", "score_hash", "profile_hash") if key in run.audit]
        if isinstance(run.audit.get("config"), Mapping):
            parts += [(f"audit: {key}", shown(value)) for key, value in run.audit["config"].items()]
        parts.append(("envelope made by", ", ".join(run.audit.get("envelope_sources") or []) or "none"))
    parts += [(f"{name}.json", shown(body.get("config", "read"))) for name, body in run.others.items()]
    return parts


def missing(run: SavedRun) -> list[str]:
    """Return a line for each part that was not run or could not be read, with the command that makes it."""
    lines = [f"{name}.json could not be read ({reason}); run `{OPTIONAL[name]}` again" for name, reason in run.unreadable.items()]
    return lines + [
        f"{name} was not run; run `{command}`"
        for name, command in OPTIONAL.items()
        if name not in run.others and name not in run.unreadable
    ]


def count_rows(run: SavedRun) -> list[dict[str, Any]]:
    """Return a row per source: records and negatives read, valid and scored, and what was rejected for which reason."""
    rows = []
    for name in run.names:
        source = run.sources[name]
        reasons = [
            f"{kind}: {reason.replace('_', ' ')} {count:,}"
            for kind in ("records", "negatives")
            for reason, count in source[kind].get("rejected", {}).items()
        ]
        rows.append(
            {"name": name, "records": source["records"], "negatives": source["negatives"], "rejected": "; ".join(reasons) or "none"}
        )
    return rows


def truncation_lines(run: SavedRun) -> list[str]:
    """Return how much of the texts the encoder did not read; empty without an encoder."""
    lines = []
    for kind, found in (run.summary.get("truncation") or {}).items():
        if found.get("texts"):
            share, tokens = found["cut"] / found["texts"], found["tokens_cut"] / max(found["tokens"], 1)
            said = f"Of {found['texts']:,} distinct {kind}, {found['cut']:,} ({percent(share)}) were cut"
            lines.append(f"{said}, {percent(tokens)} of all word pieces.")
    return lines


def shown(value: Any) -> str:
    """Return a setting as text: empty strings and nothing are named as such."""
    if value is None:
        return "none"
    if value == "":
        return "(empty)"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(shown(part) for part in value)
    return number(value, 4) if isinstance(value, float) else str(value)
