"""A real audited run on a slice of the packaged SciFact, and a browser that is offline."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import negaudit
from negaudit.resources import resource
from tests.encoders import embedding_cache, minilm_l3, minilm_l3_path  # noqa: F401 - fixtures
from tests.reporting.runs import widened

QUERIES, PASSAGES = 40, 200
FLAGS = (
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
)


@pytest.fixture(scope="session")
def real_run(minilm_l3: negaudit.FrozenEncoder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """The folder of a real run: BM25 and dense negatives of 40 claims over 200 abstracts, controls, scored and audited."""
    out = tmp_path_factory.mktemp("real")
    collection = slice_of_scifact(out / "collection")
    mined = {
        "bm25": negaudit.mine_bm25(collection, k=5).with_role("genuine"),
        "dense": negaudit.mine_dense(collection, encoder=minilm_l3, k=5).with_role("genuine"),
    }
    sources = {**mined, **negaudit.build_controls(mined, collection=collection)}
    for name, source in sources.items():
        negaudit.write_source(source, out / "sources" / f"{name}.parquet")
    negaudit.audit(sources, encoder=minilm_l3, out=out)
    return out


def slice_of_scifact(folder: Path) -> negaudit.Collection:
    """Return the first claims of SciFact over the abstracts judged for them and as many others, through files as a user has them."""
    import json

    import pyarrow.parquet as pq

    scifact = resource("scifact")
    judged = pq.read_table(scifact / "qrels" / "train.parquet").to_pylist()
    queries = pq.read_table(scifact / "queries.parquet").to_pylist()
    corpus = pq.read_table(scifact / "corpus.parquet").to_pylist()
    query, passage, grade = list(judged[0])[:3]
    kept = list(dict.fromkeys(str(row[query]) for row in judged))[:QUERIES]
    judged = [row for row in judged if str(row[query]) in kept]
    wanted = {str(row[passage]) for row in judged}
    passages = sorted(corpus, key=lambda row: str(row["_id"]) not in wanted)[:PASSAGES]
    (folder / "qrels").mkdir(parents=True)
    for name, rows in (("corpus", passages), ("queries", [row for row in queries if str(row["_id"]) in kept])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    lines = [f"{row[query]}\t{row[passage]}\t{row[grade]}\n" for row in judged]
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines), encoding="utf-8")
    return negaudit.open_collection(folder, split="train")


@pytest.fixture(scope="session")
def wide_run(real_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run with fourteen sources and every document that a run can have."""
    return widened(real_run, tmp_path_factory.mktemp("wide") / "fourteen", 14)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, headless."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = os.environ.get("NEGAUDIT_TEST_CHROMIUM") or shutil.which("chromium")
    if not chromium:
        pytest.skip("no chromium: apt-get install chromium")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=chromium, headless=True, args=[f"--{flag}" for flag in FLAGS])
        yield opened
        opened.close()


OpenPage = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """A function that opens a file with the network off, waits for its charts, and fails the test on any console error or request."""
    contexts, faults = [], []

    def open_file(path: Path, *, width: int = 1280, height: int = 900, scheme: str = "light") -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: faults.append(f"{said.type}: {said.text}") if said.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
        page.on("request", lambda request: None if request.url == path.as_uri() else faults.append(f"request: {request.url}"))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-charts]", timeout=60_000)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert faults == []
