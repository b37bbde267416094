"""Vega, Vega-Lite and vega-embed as one script for inside the page, kept once it was made; and the page's own script and style."""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from negaudit.data.atomic import write_text
from negaudit.errors import NegauditError
from negaudit.resources import cache_root

TEMPLATES = Path(__file__).resolve().parent / "templates"


@cache
def vega_script() -> str:
    """Return the libraries as one script that asks for nothing else; making it takes seconds, so it is kept in the cache folder."""
    import vl_convert

    kept = cache_root() / "vega" / f"{vl_convert.get_vega_version()}-{vl_convert.get_vegalite_versions()[-1]}.js"
    try:
        return kept.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        script = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")).replace("</script", "<\\/script")
    with suppress(NegauditError):  # a cache that cannot be written costs seconds next time, and no more
        write_text(kept, script)
    return script


@cache
def part(name: str) -> str:
    """Return the page's own script or style by file name."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def script_hash(script: str) -> str:
    """Return what a content security policy calls a script by, so that a browser runs this one and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
