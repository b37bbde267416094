"""`negaudit demo`: the whole of it on the packaged collection, offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import negaudit
from negaudit.cli.options import AsJson, Cache, Device, Quiet
from negaudit.cli.output import Output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from negaudit import AuditResult


def demo(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder that every file is left in.")] = Path("negaudit-demo"),
    device: Device = "auto",
    cache: Cache = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Mine SciFact by BM25 and by the packaged encoder, build controls, score and audit them, and see what a small language model wrote
    beside them; minutes on two cores, nothing downloaded.
    """
    output = Output(as_json=as_json, quiet=quiet)
    output.note(f"writing to {out}; most of the time goes into encoding 5,183 abstracts once")
    with output.progress() as progress:
        result = negaudit.run_demo(out, device=device, cache=cache, report=progress)
    said, shared = negaudit.shared_review(out)
    body = {**result.body, "shared_queries": shared.body}
    output.result(body, lambda: _reviews(result, said, shared), out)
    output.note(f"open {out / 'report.html'}")


def _reviews(result: AuditResult, said: str, shared: AuditResult) -> RenderableType:
    from rich.console import Group

    whole = negaudit.review(result.body, result.summary)
    return Group(whole, "", said, negaudit.review(shared.body, shared.summary))
