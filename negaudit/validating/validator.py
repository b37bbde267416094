"""`validate`: the integrity of a file of negatives, without an encoder, in one pass and bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negaudit.data.collection import Collection
from negaudit.data.formats.batching import in_groups
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Found, Reject
from negaudit.data.formats.rejects import Rejects
from negaudit.data.formats.source_file import SourceFile, open_file
from negaudit.errors import NegauditError
from negaudit.validating.check import EXAMPLES, Finding, checks
from negaudit.validating.chunk import ChunkMaker
from negaudit.validating.counts import distribution
from negaudit.validating.numbers import Numbers

SCHEMA = "negaudit.validate/1"
_CHUNK = 1024
_NOT_STRINGS = frozenset({"not_a_string", "string_for_list", "list_for_string", "not_a_list"})
Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Validation:
    """What is wrong with one file: `body` is its JSON document."""

    body: dict[str, Any]

    @property
    def findings(self) -> Mapping[str, dict[str, Any]]:
        """The finding of each check by its name."""
        found: Mapping[str, dict[str, Any]] = self.body["checks"]
        return found

    def flagged(self, severity: str) -> bool:
        """Return whether some check found something at least this bad ("error" or "warn")."""
        bad = {"error"} if severity == "error" else {"error", "warn"}
        return any(finding["severity"] in bad for finding in self.findings.values())


def validate(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 (the option's name)
    collection: Collection | Lookup | None = None,
    rejects: Rejects | None = None,
    report: Report | None = None,
) -> Validation:
    """Return what is wrong with the file at `path`, in any known format; FILE#SYSTEM looks at one system's negatives alone.

    Texts are compared after folding (case, white space, Unicode); of each only a 128-bit fingerprint is kept. Examples say line and place;
    those of checks between records have no text. Records that cannot be used go to `rejects`; the rest is checked.
    Raises NegauditError where the file is missing, torn, in no known or in mixed formats, or lacks its collection.
    """
    file = open_file(path, format=format, collection=collection)
    run = _Run(file, rejects or Rejects(), report or (lambda *_: None))
    running = [check(file) for check in checks().values()]
    maker = ChunkMaker()
    with Numbers() as numbers:
        for group in in_groups(run.records(), _CHUNK):
            chunk = maker.chunk(group)
            numbers.add(chunk, maker.distinct)
            for check in running:
                check.update(chunk)
        if not run.read:
            raise NegauditError(f"{file.path}: holds no records; expected {file.format.expected}")
        for check in running:
            check.finish(numbers)
        queries = int((numbers.counted("query") > 0).sum())
    findings = [*run.findings(), *(check.finding() for check in running)]
    return Validation(run.body(findings, queries, maker.distinct))


@dataclass
class _Run:
    """What is counted while the file is read."""

    file: SourceFile
    rejects: Rejects
    report: Report
    read: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    wrong_types: list[dict[str, Any]] = field(default_factory=list)
    positives: Counter[int] = field(default_factory=Counter)
    negatives: Counter[int] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)

    def records(self) -> Iterator[Found]:
        """Yield the usable records, counting all."""
        for item in self.file.items():
            self.read += 1
            if self.read % _CHUNK == 0:
                self.report(f"validating {self.file.path.name}", self.read, self.read)
            if isinstance(item, Reject):
                self._put_aside(item)
                continue
            self.positives[len(item.positives)] += 1
            self.negatives[len(item.negatives)] += 1
            self.origins.update(item.origins or ())
            self.left_out.update(item.left_out)
            self.lost.update(f"{lost.role}: {lost.reason}" for lost in item.lost)
            yield item

    def _put_aside(self, item: Reject) -> None:
        self.rejects.add(self.file.path, item)
        self.rejected[item.reason] += 1
        example = {"line": item.line, "where": item.reason, "text": item.detail}
        for kept, wanted in ((self.examples, True), (self.wrong_types, item.reason in _NOT_STRINGS)):
            if wanted and len(kept) < EXAMPLES:
                kept.append(example)

    def findings(self) -> list[Finding]:
        """Return what is said about rejects: all of them, and those with another type in a text's or a list's place."""
        rejected, wrong = self.rejected.total(), sum(self.rejected[reason] for reason in _NOT_STRINGS)
        reasons = dict(sorted(self.rejected.items()))
        return [
            Finding(
                "rejected",
                "records that cannot be used",
                "error" if rejected else "ok",
                rejected,
                self.read,
                "records",
                self.examples,
                reasons,
            ),
            Finding(
                "not_strings",
                "records with something else where a text or a list of texts belongs",
                "error" if wrong else "ok",
                wrong,
                self.read,
                "records",
                self.wrong_types,
            ),
        ]

    def body(self, findings: list[Finding], queries: int, distinct: int) -> dict[str, Any]:
        """Return the document of the file."""
        rejected = dict(sorted(self.rejected.items()))
        return {
            "schema": SCHEMA,
            "file": str(self.file.path),
            "format": self.file.format.name,
            "system": self.file.system,
            "records": {"read": self.read, "valid": self.read - self.rejected.total(), "rejected": rejected},
            "distinct_queries": queries,
            "distinct_texts": distinct,
            "positives_per_record": distribution(self.positives),
            "negatives_per_record": distribution(self.negatives),
            "origins": dict(sorted(self.origins.items())),
            "fields_left_out": dict(sorted(self.left_out.items())),
            "passages_left_out": dict(sorted(self.lost.items())),
            "checks": {finding.check: finding.as_dict() for finding in findings},
        }
