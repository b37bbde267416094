"""A checker of written negatives that shares no code with the package: it reads texts and answers with the faults it finds."""

from __future__ import annotations

import difflib
import unicodedata

from negaudit.data.record import Record

REFUSALS = ("i'm sorry", "i am sorry", "i cannot help", "i can't help", "i cannot assist", "as an ai", "as a language model", "sorry, but")


def squeezed(text: str) -> str:
    """The text without case, marks of punctuation and differences of white space."""
    kept = [c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in unicodedata.normalize("NFKC", text).casefold()]
    return " ".join("".join(kept).split())


def alphabet(text: str) -> str:
    """The commonest first word of its letters' names: LATIN, CJK, DEVANAGARI."""
    names = [unicodedata.name(c, "?").split()[0] for c in text if c.isalpha()]
    return max(set(names), key=names.count) if names else ""


def faults(record: Record, k: int, prompt_sentences: list[str], least: int = 20, most: int = 6000) -> list[str]:
    """Return what is wrong with the record's negatives, in words; an empty list where nothing is."""
    found = [] if len(record.negatives) <= k else ["more than asked for"]
    seen: list[str] = []
    for negative in record.negatives:
        text, plain = negative.text, squeezed(negative.text)
        if not isinstance(text, str) or not plain or not least <= len(text) <= most or text != text.strip():
            found.append(f"no passage: {text!r}")
            continue
        text.encode("utf-8")
        if plain == squeezed(record.query):
            found.append("the query")
        for positive in map(squeezed, record.positives):
            if plain in positive or difflib.SequenceMatcher(None, plain.split(), positive.split(), autojunk=False).ratio() > 0.8:
                found.append("a positive")
        if any(difflib.SequenceMatcher(None, plain.split(), other.split(), autojunk=False).ratio() > 0.9 for other in seen):
            found.append("a repeat")
        if any(text.casefold().startswith(refusal) for refusal in REFUSALS):
            found.append("a refusal")
        if "<data-" in text or "</think>" in text or any(squeezed(sentence) in plain for sentence in prompt_sentences):
            found.append("the prompt's words")
        if alphabet(text) != alphabet(record.positives[0]):
            found.append("another script")
        seen.append(plain)
    return found


def sentences(prompt: str) -> list[str]:
    """The prompt's own sentences and lines that are long enough to be told from chance."""
    lines = [line.strip("- ") for line in prompt.splitlines() if "{{" not in line]
    return [line for line in lines if len(squeezed(line).split()) >= 9]
