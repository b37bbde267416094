"""A saved envelope: thresholds, what they hold for (encoder contract, idf) and how often they err, in one file with the idf table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from negaudit.auditing.envelope import Envelope, Flag, leave_one_out
from negaudit.data.atomic import atomic_path
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig
from negaudit.text.idf import IdfTable

SCHEMA = "negaudit.envelope/1"
KEY = b"negaudit.envelope"
FILE = "envelope.parquet"


@dataclass(frozen=True)
class Reference:
    """An envelope to reuse: `body` is JSON-ready (its sources' profiles and groups, thresholds, errors, contract, idf); `hash` is of it."""

    body: Mapping[str, Any]
    path: Path

    @property
    def hash(self) -> str:
        """The hex blake2b-128 of all that the file says, its idf table by fingerprint."""
        return body_hash(self.body)

    @property
    def envelope(self) -> Envelope:
        """The envelope as it was built, with what tells chance from difference."""
        sources = self.body["sources"]
        groups = {name: source["groups"] for name, source in sources.items() if source["groups"]}
        return Envelope.of({name: source["profile"] for name, source in sources.items()}, groups)

    @property
    def leave_one_out(self) -> dict[str, list[Flag]]:
        """What the envelope flags in its own sources when they are left out."""
        return leave_one_out({name: source["profile"] for name, source in self.body["sources"].items()})

    def check(self, *, contract: Mapping[str, Any] | None, tokenizer: str, tau: float) -> None:
        """Raise NegauditError, naming the difference, where a run under these settings cannot be held against this envelope.

        A run without an encoder can: its psi alone is compared. The name of a model is no difference, its weights are.
        """
        own = self.body["encoder"]
        if own is not None and contract is not None:
            parts = sorted(key for key in {*own, *contract} - {"model"} if own.get(key) != contract.get(key))
            if parts:
                said = ", ".join(f"{part} is {_short(contract.get(part))} here and {_short(own.get(part))} there" for part in parts)
                raise NegauditError(
                    f"{self.path}: the envelope holds for another encoder contract ({said}); use the same, or build a new one"
                )
        for what, here, there in (("tokenizer", tokenizer, self.body["tokenizer"]), ("tau", tau, self.body["tau"])):
            if here != there and not (what == "tau" and contract is None):
                raise NegauditError(f"{self.path}: the envelope was built with {what} {there}, this run uses {here}; use the same")

    def check_idf(self, fingerprint: str) -> None:
        """Raise NegauditError where the run's idf table is not the one that the envelope rests on."""
        if fingerprint != self.body["idf"]["fingerprint"]:
            raise NegauditError(
                f"{self.path}: the envelope's psi rests on another idf table than this run's; leave --idf out, it brings its own"
            )

    def save(self, path: Path, table: IdfTable) -> Path:
        """Write the envelope and the idf `table` it rests on as one Parquet file at `path`."""
        with atomic_path(path) as temporary:
            stored = pq.read_table(table.save(temporary))
            metadata = {**(stored.schema.metadata or {}), KEY: _canonical({**self.body, "hash": self.hash}).encode()}
            pq.write_table(stored.replace_schema_metadata(metadata), temporary, compression="zstd")
        return path


def load_reference(path: str | Path) -> Reference:
    """Return the envelope saved at `path`, a file or the folder of an audit that holds envelope.parquet.

    Raises NegauditError where there is none, it is of another schema, or it is not what was written.
    """
    path = Path(path)
    path = path / FILE if path.is_dir() else path
    try:
        stored = (pq.read_schema(path).metadata or {}).get(KEY)
        body = json.loads(stored) if stored else {}
    except (OSError, pa.ArrowException, ValueError, RecursionError) as error:
        raise NegauditError(f"{path}: no saved envelope can be read here; give the {FILE} that `negaudit audit` wrote") from error
    if not isinstance(body, dict) or body.get("schema") != SCHEMA:
        raise NegauditError(f"{path}: not an envelope of negaudit (expected {SCHEMA!r}); give the {FILE} that `negaudit audit` wrote")
    said = body.pop("hash", None)
    reference = Reference(body, path)
    if said != reference.hash or IdfTable.load(path).fingerprint != body["idf"]["fingerprint"]:
        raise NegauditError(f"{path}: the envelope is not what was written (its hash differs); build it again")
    return reference


def held_against(reference: Reference, config: ScoreConfig, contract: Mapping[str, Any] | None) -> ScoreConfig:
    """Return the settings of a run that is held against `reference`: its idf in place of the default one.

    Raises NegauditError, naming the difference, where another idf is asked for or the contract, tokenizer or tau is another.
    """
    reference.check(contract=contract, tokenizer=config.tokenizer, tau=config.tau)
    if config.idf == ScoreConfig().idf:
        return replace(config, idf=f"saved:{reference.path}")
    if config.idf.startswith("saved:"):
        reference.check_idf(IdfTable.load(Path(config.idf.removeprefix("saved:"))).fingerprint)
        return config
    raise NegauditError(f"--idf {config.idf}: the envelope {reference.path} rests on its own idf table; leave --idf out")


def save_envelope(audit: Mapping[str, Any], summary: Mapping[str, Any], out: Path, brought: Reference | None = None) -> Path | None:
    """Write the envelope of an audited run to its folder, or the one it `brought` along, and return the path.

    None, and no file, where each source has an idf table of its own: such an envelope could be held against nothing, since psi compares
    only under one table.
    """
    target = out / FILE
    if brought is not None:
        return brought.save(target, IdfTable.load(brought.path))
    if summary["config"]["idf"] == "source":
        target.unlink(missing_ok=True)  # that of an earlier run
        return None
    sources = {name: summary["sources"][name] for name in audit["envelope_sources"]}
    body = {
        "schema": SCHEMA,
        "thresholds": audit["envelope"],
        "sources": {n: {"profile": audit["sources"][n]["profile"], "groups": source.get("groups", {})} for n, source in sources.items()},
        "leave_one_out": audit["leave_one_out"],
        "split_half": audit["split_half"],
        "encoder": summary["encoder"],
        "tokenizer": summary["lexical"]["tokenizer"],
        "tau": summary["config"]["tau"],
        "idf": {"documents": summary["lexical"]["documents"], "fingerprint": summary["lexical"]["fingerprint"]},
    }
    return Reference(body, target).save(target, IdfTable.load(out / "idf.parquet"))


def body_hash(body: Mapping[str, Any]) -> str:
    """Return the hex blake2b-128 of a body, whatever the order of its keys."""
    return hashlib.blake2b(_canonical(body).encode(), digest_size=16).hexdigest()


def _canonical(body: Mapping[str, Any]) -> str:
    return json.dumps(body, sort_keys=True, ensure_ascii=False, allow_nan=False)


def _short(value: object) -> str:
    text = str(value)
    return f"{text[:12]}…" if len(text) > 16 else repr(value)
