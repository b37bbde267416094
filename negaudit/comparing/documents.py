"""What the documents of all comparisons share: schema, settings, where the numbers come from, and the caution about few records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from negaudit.comparing.scored import ScoredRun
from negaudit.data.atomic import write_json
from negaudit.data.manifest import read_manifest
from negaudit.scoring.config import settings_hash

FEW_RECORDS = 100


def document(schema: str, config: Mapping[str, Any], run: ScoredRun) -> dict[str, Any]:
    """Return the head of a document: `schema`, `config` with its hash, and what the scores were made with."""
    scored = run.setting()
    return {"schema": schema, "config": dict(config), "config_hash": settings_hash({"config": config, "scored": scored}), "scored": scored}


def note_few_records(run: ScoredRun) -> list[str]:
    """Return a note where a source has too few records for a bootstrap to be relied on."""
    few = [f"{name} ({len(source.key)})" for name, source in run.sources.items() if len(source.key) < FEW_RECORDS]
    return [f"fewer than {FEW_RECORDS} records, so that intervals are too narrow: {', '.join(few)}"] if few else []


def save(body: Mapping[str, Any], path: Path) -> Path:
    """Write a document to `path`, whole or not at all, and return the path."""
    write_json(path, body)
    return path


def load(path: Path, schema: str, command: str) -> dict[str, Any]:
    """Return the document at `path`; raises NegauditError where it is missing or of another schema than `command` writes."""
    return read_manifest(path, schema, command)
