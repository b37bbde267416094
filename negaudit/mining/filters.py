"""The filters between a ranking and a record's negatives: which ones are asked for, and in which order they run."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from negaudit.errors import NegauditError, unknown_name

SAMPLINGS = ("random", "softmax", "top")
# How much of a ranking is looked at where a filter may remove any of it: this many times k, but no less than the second number.
DEPTH_PER_NEGATIVE, LEAST_DEPTH = 10, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateFilters:
    """What becomes of a query's ranked passages, in this order; each step counts what it removes.

    1. Exclusion, always on: labelled positives by id (`positive_id`), by exact text (`positive_exact_text`) and by folded text
       (`positive_text`), the query itself (`query_text`), texts without a letter or number to fold to (`empty_text`).
       By option: passages at least `near_duplicate` alike to a positive by token sets (`near_positive`: shared / all distinct tokens) or,
       with an encoder, by the cosine of the embeddings (`near_positive_embedding`); with `drop_repeats` those whose folded text came
       before (`repeat`).
    2. The band: `ranks` (first, last), both in it, counted in the full ranking before exclusion (`outside_ranks`).
    3. Score filters, on the miner's scores or on the cross-encoder's: `max_score` and `min_score`, then the margins to the first positive's
       score s: `margin` keeps scores <= s - margin, `relative_margin` R keeps scores <= s - (1 - R)·|s|, which is R·s where s is positive
       and as far below s where it is negative. Without a score for the positive nothing passes a margin (`positive_unscored`).
    4. Sampling: "top" in order of score; "random"; "softmax", with probability ∝ exp(score / temperature), without replacement. Draws are
       a function of (seed, query id, passage id), so nothing else changes them.
    5. The cut to K (`beyond_k`; under "top" without a cross-encoder reading simply stops there). `require_k` drops records that keep fewer.

    `depth` is how far down a ranking candidates are read: default the band's end, else as far as plain exclusion needs, else 10·K, at
    least 100. Raises NegauditError for a value out of range.
    """

    near_duplicate: float | None = None
    drop_repeats: bool = False
    ranks: tuple[int, int] | None = None
    max_score: float | None = None
    min_score: float | None = None
    margin: float | None = None
    relative_margin: float | None = None
    sampling: str = "top"
    temperature: float = 1.0
    seed: int = 42
    require_k: bool = False
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.sampling not in SAMPLINGS:
            raise unknown_name("sampling", self.sampling, SAMPLINGS)
        self._check_numbers()
        if self.near_duplicate is not None and not 0 < self.near_duplicate <= 1:
            raise NegauditError(f"near duplicate is {self.near_duplicate}: expected a similarity above 0 and up to 1, such as 0.95")
        if self.ranks is not None and not 1 <= self.ranks[0] <= self.ranks[1]:
            raise NegauditError(f"ranks are {self.ranks[0]}:{self.ranks[1]}: expected FIRST:LAST, counted from 1, such as 10:50")
        if self.depth is not None and self.depth < (self.ranks[1] if self.ranks else 1):
            least = f"{self.ranks[1]}, where the ranks end" if self.ranks else "1"
            raise NegauditError(f"depth is {self.depth}: expected at least {least}")
        if self.min_score is not None and self.max_score is not None and self.min_score > self.max_score:
            raise NegauditError(f"min score {self.min_score} is above max score {self.max_score}: no candidate can pass both")

    def _check_numbers(self) -> None:
        for name in ("max_score", "min_score", "margin", "relative_margin", "temperature"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise NegauditError(f"{name.replace('_', ' ')} is {value}: expected a finite number")
        if self.temperature <= 0:
            raise NegauditError(f"temperature is {self.temperature}: expected a number above 0")

    @property
    def need_positive(self) -> bool:
        """Whether a filter compares candidates with the first positive's score."""
        return self.margin is not None or self.relative_margin is not None

    def limit(self, k: int, rescored: bool) -> int | None:
        """Return how far down a ranking candidates are read, None where it is enough to read until `k` are found."""
        if self.depth is not None:
            return self.depth
        if self.ranks is not None:
            return self.ranks[1]
        scored = self.need_positive or self.max_score is not None or self.min_score is not None
        plain = self.near_duplicate is None and not self.drop_repeats and not scored and self.sampling == "top" and not rescored
        return None if plain else max(LEAST_DEPTH, DEPTH_PER_NEGATIVE * k)

    def as_dict(self) -> dict[str, Any]:
        """Return what was asked for as JSON-ready data: the options that differ from their defaults; the seed where it draws."""
        plain = CandidateFilters()
        body = {name: value for name, value in asdict(self).items() if value != getattr(plain, name)}
        body.pop("seed", None)
        body.pop("temperature", None)
        if self.ranks is not None:
            body["ranks"] = list(self.ranks)
        if self.sampling != "top":
            body["seed"] = self.seed
        if self.sampling == "softmax":
            body["temperature"] = self.temperature
        return body
