"""The kind "neighbor_positive": a negative becomes a positive of another query that lies near the record's own first positive."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from negaudit.controls.draws import Draws, replaced_positions
from negaudit.controls.identity import Passages
from negaudit.controls.kinds import Materials, Replacement, register
from negaudit.controls.recipe import Recipe
from negaudit.data.record import Negative, Record
from negaudit.errors import NegauditError
from negaudit.text.folding import folded

if TYPE_CHECKING:
    from negaudit.controls.base import Base

MARGIN = 32  # so many of the nearest may be own positives or repeats before all others have to be sorted
Passage = tuple[str | None, str]


@register("neighbor_positive")
class NeighborPositives:
    """Takes the labelled positives nearest to the first positive by the encoder's cosine, each once in a record.

    No positive of the record's own query comes back, by id or by folded text, and none that a kept negative already is. Ties go to the
    smaller id, then text. What cannot be replaced is lost: `no_neighbor_left`, `no_positive`, or `unusable_embedding` where the encoder
    gave the first positive no usable vector.
    """

    whole_list = False
    needs_encoder = True

    def __init__(self, recipe: Recipe, materials: Materials) -> None:
        if materials.encoder is None:
            raise NegauditError(f"control '{recipe.name}' is built by an encoder and got none; give one (--encoder), or leave it out")
        self._recipe = recipe
        positives, self._own = _labelled(materials.base)
        embeddings = materials.encoder.embed([text for _, text in positives], "passage", progress=materials.progress)
        self._vectors = embeddings.gather(slice(None))
        self._usable = embeddings.usable
        self._row = {text: row for row, (_, text) in enumerate(positives)}
        usable = np.flatnonzero(self._usable)
        self._passages = [positives[row] for row in usable]
        self._candidates = self._vectors[usable]

    def replace(self, record: Record, draws: Draws) -> Replacement:
        """Return the record's negatives with the recipe's share of them being near positives of others, the nearest first."""
        chosen = replaced_positions(self._recipe, len(record.negatives), draws)
        kept = [n for n, replaced in zip(record.negatives, chosen, strict=True) if not replaced]
        near, reason = self._nearest(record, Passages.of((n.id, n.text) for n in kept), sum(chosen))
        negatives = []
        lost: Counter[str] = Counter()
        for negative, replaced in zip(record.negatives, chosen, strict=True):
            if not replaced:
                negatives.append(replace(negative, replaced=bool(negative.replaced)))
            elif near:
                passage_id, text = near.pop(0)
                negatives.append(Negative(id=passage_id, text=text, origin=self._recipe.name, replaced=True))
            else:
                lost[reason] += 1
        return Replacement(tuple(negatives), lost)

    def _nearest(self, record: Record, kept: Passages, count: int) -> tuple[list[Passage], str]:
        """Return up to `count` passages, nearest first, and why there are no more."""
        first = next((text for text in record.positives if text.strip()), None)
        if first is None or not self._usable[self._row[first]]:
            return [], "no_positive" if first is None else "unusable_embedding"
        own = self._own[folded(record.query)]
        similarity = self._candidates @ self._vectors[self._row[first]]
        near: list[Passage] = []
        for at in _nearest_first(similarity, count + MARGIN):
            passage = self._passages[at]
            if len(near) == count:
                break
            if not own.holds(*passage) and not kept.holds(*passage):
                near.append(passage)
                kept.add(*passage)
        return near, "no_neighbor_left"


def _nearest_first(similarity: npt.NDArray[np.float32], first: int) -> Iterator[int]:
    """Yield all positions by similarity, ties in their order; the nearest `first` are found without sorting the others."""
    if first < len(similarity):
        bound = np.partition(similarity, len(similarity) - first)[len(similarity) - first]
        near = np.flatnonzero(similarity >= bound)
        yield from near[np.argsort(-similarity[near], kind="stable")].tolist()
        rest = np.flatnonzero(similarity < bound)
    else:
        rest = np.arange(len(similarity))
    yield from rest[np.argsort(-similarity[rest], kind="stable")].tolist()


def _labelled(base: Base) -> tuple[list[Passage], dict[str, Passages]]:
    """Return the base's exactly distinct positives in an order that no file has a say in, and each folded query's own ones.

    Records of one query, whatever their ids, own each other's positives: those are no other query's.
    """
    ids: dict[str, str | None] = {}
    own: dict[str, Passages] = defaultdict(Passages)
    for _, record in base.records():
        for passage_id, text in zip(record.positive_ids, record.positives, strict=True):
            own[folded(record.query)].add(passage_id, text)
            if text.strip():
                ids[text] = min((i for i in (ids.get(text), passage_id) if i is not None), default=None)
    return sorted(((i, text) for text, i in ids.items()), key=lambda passage: (passage[0] or "", passage[1])), own
