"""Prefixes of known encoder families, for models that bring no prompts of their own along."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from negaudit.encoding.model_folder import ModelFolder

_SEARCH = "Represent this sentence for searching relevant passages: "
_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_CARD = 20_000
# In a model card's head: what the model was made from, or what it calls itself among its own results.
_CARD_NAMES = re.compile(r"^(?:base_model:|- name:|\s+-|model_name:|# )\s*['\"]?([\w./-]+)['\"]?\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Preset:
    """A family's name, the pattern that its models' names match (lower case, owner left out), and what it puts before texts."""

    family: str
    pattern: str
    query: str
    passage: str


# As the models' cards have it; the first that matches counts.
PRESETS = (
    Preset("E5-instruct", r"e5-(.+-)?instruct", f"{_INSTRUCT} ", ""),
    Preset("E5", r"(multilingual-)?e5-(small|base|large)(-v2|-unsupervised)?", "query: ", "passage: "),
    Preset("BGE-M3", r"bge-m3", "", ""),
    Preset("BGE", r"bge-(micro|small|base|large)-en(-v1\.5)?", _SEARCH, ""),
    Preset("BGE", r"bge-(small|base|large)-zh(-v1\.5)?", "为这个句子生成表示以用于检索相关文章：", ""),
    Preset("GTE-Qwen", r"gte-qwen.*-instruct", f"{_INSTRUCT} ", ""),
    Preset("GTE", r"gte-(small|base|large|multilingual|modernbert)(-.*)?", "", ""),
    Preset("Nomic", r"(nomic-embed-text|modernbert-embed)(-.*)?", "search_query: ", "search_document: "),
    Preset("Qwen3-Embedding", r"qwen3-embedding-.*", _INSTRUCT, ""),
    Preset("Arctic 2", r"(snowflake-)?arctic-embed-(m|l)-v2(\.0)?", "query: ", ""),
    Preset("Arctic", r"(snowflake-)?arctic-embed(-(xs|s|m|l))?(-long|-v1\.5)?", _SEARCH, ""),
)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What is put before queries and passages, and where each comes from: "given", "the model's own prompts", a preset, or "none known"."""

    query: str
    passage: str
    query_origin: str
    passage_origin: str

    def __str__(self) -> str:
        """Return both in one line."""
        return f"query prefix {self.query!r} ({self.query_origin}), passage prefix {self.passage!r} ({self.passage_origin})"


def find_prefixes(folder: ModelFolder, own: tuple[str, str], given: tuple[str | None, str | None]) -> Prefixes:
    """Return the prefixes (query, passage): what is given, else the model's own prompts, else its family's preset, else none.

    A model that has a prompt of its own for either side is taken at its word for both.
    """
    preset = None if any(own) else find_preset(folder)
    if any(own):
        known, origin = own, "the model's own prompts"
    elif preset is not None:
        known, origin = (preset.query, preset.passage), f"preset {preset.family}"
    else:
        known, origin = ("", ""), "none known"
    texts = [fallback if stated is None else stated for stated, fallback in zip(given, known, strict=True)]
    origins = [origin if stated is None else "given" for stated in given]
    return Prefixes(texts[0], texts[1], origins[0], origins[1])


def find_preset(folder: ModelFolder) -> Preset | None:
    """Return the preset of the model's family, None where it is of none that is known.

    A model goes by its folder's name or hub id, then by the name in its configuration, then by the names in its model card.
    """
    for name in _names(folder):
        last = name.rstrip("/").rpartition("/")[2].lower()
        for preset in PRESETS:
            if re.fullmatch(preset.pattern, last):
                return preset
    return None


def _names(folder: ModelFolder) -> Iterator[str]:
    yield folder.name
    for config in sorted(folder.path.rglob("config.json")):
        name = _json_name(config)
        if name:
            yield name
    card = folder.path / "README.md"
    if card.is_file():
        yield from _CARD_NAMES.findall(card.read_text(encoding="utf-8", errors="replace")[:_CARD])


def _json_name(config: Path) -> str | None:
    try:
        name = json.loads(config.read_text(encoding="utf-8")).get("_name_or_path")
    except (ValueError, AttributeError):
        return None
    return name if isinstance(name, str) else None
