"""Builds control sources from recipes: one pass over the base source for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from negaudit.controls.base import Base
from negaudit.controls.draws import Draws
from negaudit.controls.kinds import Control, Materials, Replacement, known_kind
from negaudit.controls.order import building_order, without_encoder
from negaudit.controls.pool import PassagePool
from negaudit.controls.recipe import Recipe, shipped_recipes
from negaudit.controls.tally import Tally
from negaudit.data.collection import Collection
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from negaudit.encoding.encoder import FrozenEncoder

Progress = Callable[[str, int, int], None]
PROGRESS_EVERY = 500


def build_controls(
    sources: Mapping[str, NegativeSource],
    *,
    collection: Collection | None = None,
    recipes: Sequence[Recipe] | None = None,
    base: str = "bm25",
    seed: int = 42,
    encoder: FrozenEncoder | None = None,
    note: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> dict[str, NegativeSource]:
    """Return one control source per recipe, by the recipe's name, in the recipes' order; None takes all shipped ones that can be built.

    Each starts from the source that its recipe names, or from the control of another recipe of that name, else from `base`. Where
    `recipes` is None and no `encoder` is given, those that need one are left out and `note` is called with a line that says so.
    Random passages come from `collection`, else from the passages of all sources that are not controls. Draws depend on (seed, control,
    query id, occurrence, position), so the order of the rows changes no record. Every negative says whether it was replaced, and its
    origin by which control; the metadata's details give the recipe, the base, the seed and the realised share of replaced negatives, its
    counts what was lost. `progress` is called with (stage, done, in all).

    Raises NegauditError where the base is missing, two recipes share a name, a recipe is named like a source, recipes start from each
    other, a recipe lacks the encoder it needs, or a control could be built for no record.
    """
    recipes = _shipped(encoder, note) if recipes is None else recipes
    _check_names(recipes, sources)
    drawn_from = [] if collection else [source for source in sources.values() if source.role != "control"]
    pool = cache(lambda: PassagePool.of_collection(collection) if collection else PassagePool.of_sources(drawn_from))
    inputs = _inputs(collection, drawn_from)
    start = cache(lambda name: Base(sources[name] if name in sources else controls[name]))
    controls: dict[str, NegativeSource] = {}
    encoded = (lambda done, total: progress("encoding positives", done, total)) if progress else None
    for recipe in building_order(recipes, base, sources):
        materials = Materials(start(recipe.base or base), pool, encoder, encoded)
        controls[recipe.name] = _build(recipe, materials, seed, inputs, progress)
    return {recipe.name: controls[recipe.name] for recipe in recipes}


def _shipped(encoder: FrozenEncoder | None, note: Callable[[str], None] | None) -> list[Recipe]:
    if encoder is not None:
        return shipped_recipes()
    recipes, left_out = without_encoder(shipped_recipes())
    if left_out and note:
        note(f"left out for want of an encoder: {', '.join(left_out)}")
    return recipes


def _build(recipe: Recipe, materials: Materials, seed: int, inputs: Mapping[str, str], progress: Progress | None) -> NegativeSource:
    base = materials.base.source
    tally = Tally()
    control = known_kind(recipe.kind)(recipe, materials)
    records = _records(materials.base, control, recipe, seed, tally, progress)
    source = NegativeSource.from_records(records, SourceMetadata(recipe.name, "control"))
    if not source.num_records:
        raise NegauditError(f"control '{recipe.name}' could be built for no record of '{base.name}': {tally.why()}")
    metadata = tally.metadata(recipe, base, seed, {**inputs, f"source {base.name}": materials.base.fingerprint})
    return replace(source, metadata=metadata)


def _records(base: Base, control: Control, recipe: Recipe, seed: int, tally: Tally, progress: Progress | None) -> Iterator[Record]:
    for done, ((query_id, occurrence), record) in enumerate(base.records(), 1):
        draws = Draws.of(seed, recipe.name, query_id, occurrence)
        built = control.replace(record, draws) if record.negatives else Replacement(())
        tally.add(record, built, recipe.name)
        if progress and (done % PROGRESS_EVERY == 0 or done == len(base)):
            progress(f"building {recipe.name}", done, len(base))
        if built.negatives:
            yield replace(record, negatives=built.negatives)


def _inputs(collection: Collection | None, drawn_from: Sequence[NegativeSource]) -> dict[str, str]:
    """Return the fingerprints of what random passages are drawn from."""
    if collection:
        return dict(collection.fingerprints)
    return {f"source {source.name}": source.fingerprint() for source in drawn_from}


def _check_names(recipes: Sequence[Recipe], sources: Mapping[str, NegativeSource]) -> None:
    names = [recipe.name for recipe in recipes]
    for name in names:
        if names.count(name) > 1:
            raise NegauditError(f"two control recipes are named '{name}'; rename one of the files")
        if name in sources:
            raise NegauditError(f"control '{name}' has the name of a source; rename the source (NAME=FILE) or the recipe's file")
