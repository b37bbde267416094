"""The main job on the packaged SciFact collection: mine, build controls, score, audit; and what a model wrote, beside what was mined."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow.compute as pc

import negaudit
from negaudit.auditing.auditor import AuditResult
from negaudit.data.source import NegativeSource
from negaudit.resources import resource

SPLIT = "train"
GENUINE = ("bm25", "dense")
# The folder in the demo's own that holds the audit of the queries that the model wrote for.
SHARED = "shared-queries"


def run_demo(
    out: Path, *, device: str = "auto", cache: Path | None = None, report: Callable[[str, int, int], None] | None = None
) -> AuditResult:
    """Run the whole of it into `out` (sources/, controls/ and the audited run) and return the audit.

    The packaged negatives that a small language model wrote for some of the queries are audited besides, against the mined ones of
    these queries alone, in the folder `SHARED`. Everything shares one maximum length and one embedding cache, so no text is encoded twice.
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
    result = negaudit.audit({**mined, **built}, genuine=GENUINE, encoder=encoder, collection=collection, out=out, report=report)
    written = written_source()
    negaudit.write_source(written, out / "sources" / f"{written.name}.parquet")
    shared = {name: on_queries_of(written, source) for name, source in mined.items()} | {written.name: written}
    negaudit.audit(shared, genuine=GENUINE, encoder=encoder, collection=collection, out=out / SHARED, report=report)
    for run in (out, out / SHARED):
        negaudit.report(run)
    return result


def written_source() -> NegativeSource:
    """Return the packaged negatives that a small language model wrote for some claims; the metadata says which model."""
    return NegativeSource.from_parquet(resource("scifact") / "llm.parquet")


def on_queries_of(other: NegativeSource, source: NegativeSource) -> NegativeSource:
    """Return the records of `source` whose query is one of `other`, in their order."""
    table = source.to_table()
    shared = pc.is_in(table["query_id"], value_set=other.to_table()["query_id"])
    return NegativeSource.from_table(table.filter(shared), source.metadata)


def shared_review(out: Path) -> tuple[str, AuditResult]:
    """Return the audit of the shared queries that run_demo left in `out`, and one line that says who wrote the model's negatives.

    Raises NegauditError where there is none.
    """
    written = NegativeSource.from_parquet(out / "sources" / "llm.parquet")
    how = written.metadata.origins[written.name]
    line = (
        f"On the {written.num_records:,} claims that a language model wrote for ({how['model']}, prompt '{how['prompt']['name']}': "
        "a very small model, good for showing the pipeline and no more):"
    )
    return line, negaudit.load_audit(out / SHARED)
