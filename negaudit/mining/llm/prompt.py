"""Prompts: template files by name or path, and the requests made of them."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negaudit.errors import NegauditError, unknown_name
from negaudit.mining.llm.fence import RULE, fence_name, fenced
from negaudit.resources import resource

SECTIONS = ("system", "user", "again")
PLACEHOLDERS = {"system": {"k"}, "user": {"query", "positive", "k", "length"}, "again": {"accepted", "k", "length"}}
REQUIRED = {"system": set[str](), "user": {"query", "positive", "k"}, "again": {"accepted"}}
_FRONT = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
_HEADING = re.compile(r"^## +(\S+) *$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt: three templates, and the kinds of miss (none: passages come without a kind).

    `digest` is of the whole file's text and of what negaudit adds to it. Query, positive and earlier passages
    are always put in as fenced data.
    """

    name: str
    version: int
    digest: str
    sections: Mapping[str, str]
    kinds: tuple[str, ...] = ()

    def describe(self) -> dict[str, Any]:
        """Return what the metadata says of the prompt."""
        return {"name": self.name, "version": self.version, "hash": self.digest}

    def system(self, k: int) -> str:
        """Return the system message: the template's, and the rule about fenced text."""
        return f"{_filled(self.sections['system'], {'k': str(k)})}\n{RULE}"

    def user(self, query: str, positive: str, accepted: Sequence[str], *, k: int, length: str) -> str:
        """Return the user message that asks for `k` passages; with `accepted` ones it says what is already there."""
        name = fence_name([query, positive, *accepted])
        values = {"query": fenced(query, name), "positive": fenced(positive, name), "k": str(k), "length": length}
        message = _filled(self.sections["user"], values)
        if not accepted:
            return message
        already = "\n".join(fenced(text, name) for text in accepted)
        return f"{message}\n\n{_filled(self.sections['again'], {**values, 'accepted': already})}"

    def own_words(self) -> str:
        """Return all that the prompt itself says, without any document's text."""
        return _PLACEHOLDER.sub("\n", "\n".join([*(self.sections[name] for name in SECTIONS), RULE]))

    def schema(self, k: int, characters: int | None = None) -> dict[str, Any]:
        """Return the JSON schema of an answer with `k` passages, each of at most `characters` characters if given."""
        text: dict[str, Any] = {"type": "string"} if characters is None else {"type": "string", "maxLength": characters}
        item = _object({"kind": {"type": "string", "enum": list(self.kinds)}, "passage": text}) if self.kinds else text
        return _object({"passages": {"type": "array", "items": item, "minItems": k, "maxItems": k}})


def load_prompt(prompt: str | Path) -> Prompt:
    """Return the shipped prompt of that name, or the one in the file at that path (anything with a slash or a file ending is a path).

    Raises NegauditError where there is none, or where the file lacks a section or placeholder, or has one that means nothing.
    """
    path = Path(prompt)
    if path.suffix or len(path.parts) > 1:
        return _read(path)
    shipped = shipped_prompts()
    if str(prompt) not in shipped:
        raise unknown_name("prompt", str(prompt), shipped)
    return _read(shipped[str(prompt)])


def shipped_prompts() -> dict[str, Path]:
    """Return the files of the prompts that ship with negaudit, by name."""
    return {path.stem: path for path in sorted(resource("prompts").glob("*.md"))}


def _read(path: Path) -> Prompt:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NegauditError(f"prompt {path}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    front, body = _front(path, text)
    parts = _HEADING.split(body)
    sections = {name: part.strip() for name, part in zip(parts[1::2], parts[2::2], strict=True)}
    _check_sections(path, sections, parts[1::2])
    digest = hashlib.blake2b(f"{RULE}\0{text}".encode(), digest_size=16).hexdigest()
    return Prompt(path.stem, front["version"], digest, sections, tuple(front.get("kinds", ())))


def _front(path: Path, text: str) -> tuple[dict[str, Any], str]:
    found = _FRONT.match(text)
    if found is None:
        raise NegauditError(f"prompt {path}: expected to begin with TOML between two lines +++, with at least version = 1")
    try:
        front = tomllib.loads(found.group(1))
    except tomllib.TOMLDecodeError as error:
        raise NegauditError(f"prompt {path}: its head is not TOML ({error})") from error
    if unknown := sorted(front.keys() - {"version", "description", "kinds"}):
        raise NegauditError(f"prompt {path}: unknown key '{unknown[0]}' (valid: description, kinds, version)")
    if type(front.get("version")) is not int:
        raise NegauditError(f"prompt {path}: version must be a whole number, found {front.get('version')!r}")
    kinds = front.get("kinds", [])
    if not isinstance(kinds, list) or not all(isinstance(kind, str) and kind.strip() for kind in kinds) or len(set(kinds)) < len(kinds):
        raise NegauditError(f"prompt {path}: kinds must be a list of different words")
    return front, text[found.end() :]


def _check_sections(path: Path, sections: Mapping[str, str], headings: Sequence[str]) -> None:
    if sorted(headings) != sorted(SECTIONS):
        raise NegauditError(
            f"prompt {path}: expected the sections ## system, ## user and ## again, once each; found {', '.join(headings) or 'none'}"
        )
    for name, text in sections.items():
        used = set(_PLACEHOLDER.findall(text))
        if unknown := sorted(used - PLACEHOLDERS[name]):
            raise NegauditError(f"prompt {path}: ## {name} has no {{{{{unknown[0]}}}}} (valid: {', '.join(sorted(PLACEHOLDERS[name]))})")
        if missing := sorted(REQUIRED[name] - used):
            raise NegauditError(
                f"prompt {path}: ## {name} lacks {{{{{missing[0]}}}}}; without it the model cannot know what to write about"
            )


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Return the template with its placeholders replaced in one pass: what stands in a value is never a placeholder."""
    return _PLACEHOLDER.sub(lambda match: values[match.group(1)], template)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
