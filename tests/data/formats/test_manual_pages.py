"""The manual has a page for each format, and reads its own examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from negaudit.data.formats.format import formats
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.opening import open_source
from tests.conftest import REPOSITORY

PAGES = REPOSITORY / "docs" / "formats"
FENCE = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
READ = re.compile(r"^Read (?:with `([^`]+)` )?as `([\w-]+)`: (\d+) records, (\d+) positives, (\d+) negatives\.$", re.MULTILINE)


@pytest.mark.parametrize("name", formats())
def test_the_example_of_each_page_is_read_as_the_page_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    blocks = FENCE.findall(page)
    for language, file, body in blocks:
        if language == "python":
            exec(compile(body, file, "exec"), {})
        else:
            Path(file).write_text(body, encoding="utf-8")
    options, said, *counts = READ.findall(page)[0]
    given = dict(zip(options.split()[::2], options.split()[1::2], strict=True))
    lookup = Lookup.from_files(*(Path(given[option]) if option in given else None for option in ("--corpus", "--queries", "--qrels")))
    source = open_source(blocks[0][1], collection=lookup)
    records = list(source.records())
    found = (len(records), sum(len(record.positives) for record in records), sum(len(record.negatives) for record in records))
    assert (said, *map(int, counts)) == (name, *found)
    assert source.metadata.details.get("format", "negaudit") == name


def test_the_index_links_every_page():
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(([\w-]+)\.md\)", index)) == set(formats()) == {page.stem for page in PAGES.glob("*.md")} - {"index"}
