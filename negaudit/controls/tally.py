"""What a control's build counted: records and negatives read, used and lost by reason, and the share replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from negaudit.controls.kinds import Replacement
from negaudit.controls.recipe import Recipe
from negaudit.data.metadata import Account, SourceMetadata
from negaudit.data.record import Record
from negaudit.data.source import NegativeSource


class Tally:
    """Counts over the records of one control."""

    def __init__(self) -> None:
        self._read = self._built = self._negatives = self._kept = self._replaced = self._replaced_before = 0
        self._lost: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()
        self._kept_origins: set[str] = set()

    def add(self, record: Record, built: Replacement, name: str) -> None:
        """Count one record of the base and what became of it in the control `name`."""
        self._read += 1
        self._negatives += len(record.negatives)
        self._lost.update(built.lost)
        if built.negatives:
            self._built += 1
        else:
            self._rejected[next(iter(built.lost), "no_negatives")] += 1
        for negative in built.negatives:
            if negative.replaced and negative.origin == name:
                self._replaced += 1
            else:
                # What a control that this one starts from has replaced is kept here, and still says so.
                self._kept += 1
                self._replaced_before += bool(negative.replaced)
                self._kept_origins.add(negative.origin)

    def why(self) -> str:
        """Return how many records were read and why they were left out, in words."""
        reasons = ", ".join(f"{count} with {reason}" for reason, count in sorted(self._rejected.items()))
        return f"{self._read} read{', ' if reasons else ''}{reasons}"

    def metadata(self, recipe: Recipe, base: NegativeSource, seed: int, inputs: Mapping[str, str]) -> SourceMetadata:
        """Return the control's metadata.

        Its origins are those that its negatives have; its counts are of the base's records and of the base's negatives
        (used: kept or replaced); its details count the control's own negatives and say which share of them this recipe replaced, and
        which share together with the controls that it starts from.
        """
        made: dict[str, Any] = {"method": "control", "parameters": recipe.as_dict(), "base": base.name, "seed": seed}
        origins = {name: base.metadata.origins.get(name, {}) for name in sorted(self._kept_origins)}
        counts = {
            "records": Account(self._read, self._built, self._rejected),
            "negatives": Account(self._negatives, self._negatives - sum(self._lost.values()), self._lost),
        }
        return SourceMetadata(
            recipe.name,
            "control",
            origins={**origins, recipe.name: made},
            inputs=inputs,
            counts={name: account.as_dict() for name, account in counts.items()},
            details={"control": {**made, **self._shares()}},
        )

    def _shares(self) -> dict[str, float]:
        built = self._kept + self._replaced
        replaced = self._replaced + self._replaced_before
        return {"replaced": self._replaced, "negatives": built, "share": self._replaced / built, "share_with_bases": replaced / built}
