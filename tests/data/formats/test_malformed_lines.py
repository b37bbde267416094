"""Whatever stands in a file, the answer is records, rejects, or one line of error: never a traceback, never a silent loss."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from negaudit.data.formats.format import formats
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.opening import open_source
from negaudit.data.formats.rejects import Rejects
from negaudit.errors import NegauditError
from negaudit.validating.validator import validate
from tests.conftest import REPOSITORY
from tests.data.formats.test_manual_pages import FENCE

SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["query", "pos", "neg", "pos_scores", "neg_scores", "query_id", "pos_id", "origins", "anchor", "positive"])
OBJECTS = st.dictionaries(KEYS, VALUES | st.lists(st.text(max_size=5), max_size=3), max_size=6).map(json.dumps).map(str.encode)
NOISE = st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b" "))
LINES = st.lists(OBJECTS | NOISE | VALUES.map(json.dumps).map(str.encode), max_size=6)
GOOD = json.dumps({"query": "q", "pos": ["p"], "neg": ["n", "m"]}).encode()


def one_line(error: NegauditError) -> None:
    assert str(error).strip()
    assert "\n" not in str(error)


def checked(path: Path, lines: list[bytes], name: str | None, lookup: Lookup | None = None) -> None:
    """Open and validate: counts add up to the lines that are not blank, and both see the same; else one line of error."""
    try:
        rejects = Rejects()
        source = open_source(path, format=name, collection=lookup, rejects=rejects)
    except NegauditError as error:
        one_line(error)
        return
    account = source.metadata.counts["records"]
    assert account["read"] == account["used"] + sum(account["rejected"].values())
    assert account["read"] == sum(not line.isspace() and line != b"" for line in lines)
    records = list(source.records())
    assert len(records) == account["used"] == source.num_records
    if name is None:
        return
    body = validate(path, format=name, collection=lookup).body
    assert body["records"] == {"read": account["read"], "valid": account["used"], "rejected": account["rejected"]}
    assert body["negatives_per_record"]["total"] == sum(len(record.negatives) for record in records)
    json.dumps(body, allow_nan=False)


@SETTINGS
@given(before=LINES, after=LINES)
@example(before=[b'{"query": "q", "pos": ["p"], "neg": ["n"], "neg_scores": [NaN]}'], after=[b"\xff"])
@example(before=[b'{"query": "q", "pos": "p", "neg": []}'], after=[b"[" * 5000])
@example(before=[b'{"query": "", "pos": [""], "neg": [" "]}'], after=[b'{"query": "q", "pos": ["p"], "neg": ["n"], "neg_scores": [1e400]}'])
def test_lines_of_json(tmp_path, before, after):
    lines = [*before, GOOD, *after]
    path = tmp_path / "fuzzed"
    path.write_bytes(b"\n".join(lines) + b"\n")
    checked(path, lines, "flagembedding")
    checked(path, lines, None)


@pytest.mark.parametrize("name", [name for name in formats() if name not in ("negaudit", "dpr")])
def test_the_examples_of_the_manual_with_their_lines_damaged(name, tmp_path):
    page = (REPOSITORY / "docs" / "formats" / f"{name}.md").read_text(encoding="utf-8")
    blocks = {file: body for _, file, body in FENCE.findall(page)}
    for file, body in blocks.items():
        (tmp_path / file).write_text(body, encoding="utf-8")
    files = [next((tmp_path / file for file in blocks if file.startswith(kind)), None) for kind in ("corpus", "queries", "qrels")]
    lookup = Lookup.from_files(*files)
    example_file = tmp_path / next(iter(blocks))
    whole = example_file.read_bytes().splitlines()

    @SETTINGS
    @given(st.data())
    def damaged(data):
        lines = list(whole)
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(lines) - 1))
            cut = data.draw(st.integers(0, len(lines[at])))
            noise = data.draw(st.binary(max_size=3)).replace(b"\n", b"").replace(b"\r", b"").replace(b'"', b"")
            lines[at] = lines[at][:cut] + noise + lines[at][cut + data.draw(st.integers(0, 8)) :]
        example_file.write_bytes(b"\n".join(lines) + b"\n")
        grouped = name in ("st-labeled-pair", "msmarco-top1000", "trec-run", "st-tuples")
        try:
            source = open_source(example_file, format=name, collection=lookup)
        except NegauditError as error:
            one_line(error)
            return
        account = source.metadata.counts["records"]
        assert len(list(source.records())) == account["used"]
        if not grouped:
            assert account["read"] == sum(bool(line.strip()) for line in lines)

    damaged()
