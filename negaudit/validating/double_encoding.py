"""UTF-8 that was read as Latin-1 or Windows-1252 and encoded again, found and undone."""

from __future__ import annotations

import re


def _images() -> dict[str, int]:
    """Return each character that a byte from 0x80 on becomes when it is read as Latin-1 or as Windows-1252, with the byte."""
    images = {chr(byte): byte for byte in range(0x80, 0x100)}
    for byte in range(0x80, 0xA0):
        try:
            images[bytes([byte]).decode("cp1252")] = byte
        except UnicodeDecodeError:
            continue  # five bytes stand for nothing there, and are kept as controls
    return images


_BYTES = _images()
_NEXT = "[" + re.escape("".join(character for character, byte in _BYTES.items() if byte < 0xC0)) + "]"
_TWO, _THREE, _FOUR = f"[\xc2-\xdf]{_NEXT}", f"[\xe0-\xef]{_NEXT}{{2}}", f"[\xf0-\xf4]{_NEXT}{{3}}"
_SURE = f"[\xc2\xc3]{_NEXT}|{_THREE}|{_FOUR}"
# A single pair that begins with another letter may well be meant ("Maß»"); several in a row are not.
CANDIDATE = re.compile(f"(?:{_SURE}|{_TWO}(?={_TWO}|{_THREE})|(?<={_NEXT}){_TWO})")
_RUN = re.compile(f"(?:{_FOUR}|{_THREE}|{_TWO})+")


def repaired(text: str) -> str:
    """Return the text with every run of double-encoded characters decoded; the rest, and what decodes to nothing, stays as it is.

    Text that was encoded three times is repaired as often as it takes.
    """
    for _ in range(3):
        better = _RUN.sub(_decoded, text)
        if better == text:
            break
        text = better
    return text


def _decoded(match: re.Match[str]) -> str:
    run = match.group()
    if not CANDIDATE.search(run):
        return run
    try:
        decoded = bytes(_BYTES[character] for character in run).decode("utf-8")
    except UnicodeDecodeError:
        return run
    return decoded
