"""Random draws that depend on what they are for, not on when they are made: row order and chunks change nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from negaudit.controls.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of one record: functions of (seed, control, query id, occurrence of that query id) and a label."""

    key: bytes

    @classmethod
    def of(cls, seed: int, control: str, query_id: str, occurrence: int) -> Draws:
        """Return the draws of the `occurrence`-th record (from 0) of `query_id` under this seed and control."""
        text = json.dumps([seed, control, query_id, occurrence])
        return cls(blake2b(text.encode(), digest_size=32).digest())

    def uniform(self, *label: object) -> float:
        """Return a number drawn uniformly from [0, 1), in steps of 2**-53."""
        return (self._bits(label) >> 75) / (1 << 53)

    def below(self, limit: int, *label: object) -> int:
        """Return an integer drawn uniformly from [0, limit); of 128 bits, so the modulo's bias is below 2**-64."""
        return self._bits(label) % limit

    def _bits(self, label: tuple[object, ...]) -> int:
        return int.from_bytes(blake2b(repr(label).encode(), key=self.key, digest_size=16).digest(), "big")


def replaced_positions(recipe: Recipe, count: int, draws: Draws) -> list[bool]:
    """Return for each of `count` negatives whether the recipe replaces it.

    Mode "independent": each with probability `fraction`. Mode "count": exactly fraction * count of them, rounded half
    to even, the ones with the smallest draws.
    """
    drawn = [draws.uniform("replaced", index) for index in range(count)]
    if recipe.mode == "independent":
        return [value < recipe.fraction for value in drawn]
    wanted = round(Fraction(str(recipe.fraction)) * count)  # exact: 0.15 * 10 is a half, whatever the float says
    chosen = set(sorted(range(count), key=lambda index: (drawn[index], index))[:wanted])
    return [index in chosen for index in range(count)]
