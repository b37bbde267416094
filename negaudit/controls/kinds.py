"""The registry of control kinds: each kind is one small class, found by name; two of one name are an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from negaudit.errors import unknown_name

if TYPE_CHECKING:
    from negaudit.controls.base import Base
    from negaudit.controls.draws import Draws
    from negaudit.controls.pool import PassagePool
    from negaudit.controls.recipe import Recipe
    from negaudit.data.record import Negative, Record
    from negaudit.encoding.encoder import FrozenEncoder


@dataclass(frozen=True)
class Materials:
    """What a kind may draw on: the base source's records, the passages of the run (made when first asked for), and the encoder if any.

    `progress` is called with (texts encoded, texts to encode).
    """

    base: Base
    pool: Callable[[], PassagePool]
    encoder: FrozenEncoder | None = None
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True, slots=True)
class Replacement:
    """What became of one record's negatives, and how many of them were lost, by reason."""

    negatives: tuple[Negative, ...]
    lost: Mapping[str, int] = field(default_factory=Counter)


class Control(Protocol):
    """A kind of control, made once for a recipe and applied to each record of the base."""

    whole_list: bool
    """Whether it replaces the whole list of a record, so that no fraction applies."""

    needs_encoder: bool
    """Whether it can only be built with an encoder."""

    def __init__(self, recipe: Recipe, materials: Materials) -> None: ...

    def replace(self, record: Record, draws: Draws) -> Replacement:
        """Return the record's new negatives; every choice comes from `draws`."""


_KINDS: dict[str, type[Control]] = {}
# Importing one of these registers what it holds.
_MODULES = (
    "negaudit.controls.random_passages",
    "negaudit.controls.shuffled",
    "negaudit.controls.own_positives",
    "negaudit.controls.neighbor_positives",
)


def register(name: str) -> Callable[[type[Control]], type[Control]]:
    """Return a decorator that makes a class known as the kind `name`; raises ValueError where the name is taken."""

    def add(kind: type[Control]) -> type[Control]:
        if name in _KINDS:
            raise ValueError(f"control kind '{name}' is registered already, by {_KINDS[name].__qualname__}")
        _KINDS[name] = kind
        return kind

    return add


def known_kind(name: str) -> type[Control]:
    """Return the class of the kind `name`; raises NegauditError that lists the kinds where there is none."""
    for module in _MODULES:
        import_module(module)
    if name not in _KINDS:
        raise unknown_name("control kind", name, _KINDS)
    return _KINDS[name]
