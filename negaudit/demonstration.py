"""The main job on the packaged SciFact collection: mine, build controls, score, audit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import negaudit
from negaudit.auditing.auditor import AuditResult
from negaudit.resources import resource

SPLIT = "train"
GENUINE = ("bm25", "dense")


def run_demo(
    out: Path, *, device: str = "auto", cache: Path | None = None, report: Callable[[str, int, int], None] | None = None
) -> AuditResult:
    """Run the whole of it into `out` (sources/, controls/ and the audited run) and return the audit.

    Everything shares one maximum length and one embedding cache, so no text is encoded twice.
    Raises MissingExtraError where the packaged encoder is not installed, before any work is done.
    """
    encoder = negaudit.load_encoder(device=device, cache=cache)
    collection = negaudit.open_collection(resource("scifact"), split=SPLIT)
    mined = {
        "bm25": negaudit.mine_bm25(collection, progress=report).with_role("genuine"),
        "dense": negaudit.mine_dense(collection, encoder=encoder, progress=report).with_role("genuine"),
    }
    built = negaudit.build_controls(mined, collection=collection, encoder=encoder)
    for folder, sources in (("sources", mined), ("controls", built)):
        for name, source in sources.items():
            negaudit.write_source(source, out / folder / f"{name}.parquet")
    return negaudit.audit({**mined, **built}, genuine=GENUINE, encoder=encoder, collection=collection, out=out, report=report)
