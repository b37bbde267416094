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
FILES = {
    "negaudit.compare/1": "compare.json",
    "negaudit.agreement/1": "agreement.json",
    "negaudit.match/1": "match.json",
    "negaudit.stability/1": "stability.json",
    "negaudit.slices/1": "slices.json",
}


def document(schema: str, config: Mapping[str, Any], run: ScoredRun) -> dict[str, Any]:
    """Return the head of a document: `schema`, `config` with its hash, and what the scores were made with."""
    scored = run.setting()
    return {"schema": schema, "config": dict(config), "config_hash": settings_hash({"config": config, "scored": scored}), "scored": scored}


def note_few_records(run: ScoredRun) -> list[str]:
    """Return a note where a source has too few records for a bootstrap to be relied on."""
    few = [f"{name} ({len(source.key)})" for name, source in run.sources.items() if len(source.key) < FEW_RECORDS]
    return [f"fewer than {FEW_RECORDS} records, so that intervals are too narrow: {', '.join(few)}"] if few else []


def write_comparison(body: Mapping[str, Any], folder: Path) -> Path:
    """Write a comparison's document to `folder`, whole or not at all, under the name that FILES has for its schema; return the path."""
    path = folder / FILES[body["schema"]]
    write_json(path, body)
    return path


def load_comparison(folder: Path, schema: str) -> dict[str, Any]:
    """Return the document of `schema` in `folder`; raises NegauditError where it is missing or broken."""
    file = FILES[schema]
    return read_manifest(folder / file, schema, f"negaudit {file.removesuffix('.json')}")
