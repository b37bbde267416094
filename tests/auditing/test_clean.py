"""A cleaned source lacks what the chosen checks flagged and nothing else, and says what went and why."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from negaudit.auditing.auditor import audit
from negaudit.auditing.clean import clean
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig

# (record, negative, check)
FLAGS = [
    (0, 1, "short"),
    (0, 1, "unrelated"),
    (2, 0, "unrelated"),
    (2, 1, "unrelated"),
    (2, 2, "short"),
    (4, 2, "unrelated"),
    (5, 0, "hubs"),
]


@pytest.fixture
def source() -> NegativeSource:
    records = [
        Record(
            f"q{i}", "how long do cats sleep", ("most of the day",), tuple(Negative(f"text {i} {j}", "bm25", f"d{i}{j}") for j in range(3))
        )
        for i in range(6)
    ]
    return NegativeSource.from_records(records, SourceMetadata("mine", "genuine", origins={"bm25": {"method": "bm25"}}))


@pytest.fixture
def audited(source: NegativeSource, tmp_path: Path) -> Path:
    """The folder of an audit whose checks flagged FLAGS (and one negative of another source)."""
    audit([source], out=tmp_path / "audit", config=ScoreConfig(replicates=0))
    rewrite(tmp_path / "audit", FLAGS)
    return tmp_path / "audit"


def rewrite(folder: Path, flags: list[tuple[int, int, str]]) -> None:
    rows = [("mine", record, f"q{record}", index, check, 1.0) for record, index, check in flags] + [("other", 1, "q1", 1, "unrelated", 1.0)]
    columns = ["source", "record", "query_id", "negative_index", "check", "value"]
    pl.DataFrame(rows, schema=columns, orient="row").with_columns(pl.col("negative_index").cast(pl.Int32)).write_parquet(
        folder / "flags.parquet"
    )
    body = json.loads((folder / "audit.json").read_text())
    found = {name: {"severity": "warn", "reason": "found"} for name in ("unrelated", "short", "hubs")}
    body["sources"]["mine"]["checks"] = found | {"label_conflict": {"severity": "not_run", "reason": "it needs the qrels"}}
    (folder / "audit.json").write_text(json.dumps(body))


def left(source: NegativeSource) -> dict[str, list[str]]:
    return {record.query_id: [str(n.id) for n in record.negatives] for record in source.records()}


def test_flagged_negatives_go_and_the_rest_stays_in_order(source: NegativeSource, audited: Path) -> None:
    cleaned = clean(source, audited, checks=["unrelated"])
    assert left(cleaned) == left(source) | {"q0": ["d00", "d02"], "q2": ["d22"], "q4": ["d40", "d41"]}
    assert cleaned.metadata.counts["negatives"] == {"read": 18, "used": 14, "rejected": {"unrelated": 4}}
    assert cleaned.metadata.counts["records"] == {"read": 6, "used": 6, "rejected": {}}
    assert (cleaned.role, cleaned.metadata.origins) == ("genuine", {"bm25": {"method": "bm25"}})


def test_a_record_left_with_nothing_goes_and_a_double_flag_counts_once(source: NegativeSource, audited: Path) -> None:
    cleaned = clean(source, audited, checks=["unrelated", "short", "unrelated"])
    assert "q2" not in left(cleaned)
    assert cleaned.metadata.counts["negatives"] == {"read": 18, "used": 13, "rejected": {"short": 1, "unrelated": 4}}
    assert cleaned.metadata.counts["records"] == {"read": 6, "used": 5, "rejected": {"no_negative_left": 1}}
    assert cleaned.metadata.details["clean"]["flagged"] == {"unrelated": 4, "short": 2}
    assert clean(source, audited, checks=["short", "unrelated"]).metadata.counts["negatives"]["rejected"] == {"short": 2, "unrelated": 3}


def test_records_go_whole_where_that_is_asked_for(source: NegativeSource, audited: Path) -> None:
    cleaned = clean(source, audited, checks=["short", "hubs"], drop="records")
    assert left(cleaned) == {name: ids for name, ids in left(source).items() if name not in ("q0", "q2", "q5")}
    assert cleaned.metadata.counts["records"] == {"read": 6, "used": 3, "rejected": {"hubs": 1, "short": 2}}
    assert cleaned.metadata.counts["negatives"] == {"read": 18, "used": 9, "rejected": {"in_dropped_record": 9}}


def test_what_the_audit_did_not_sample_stays_and_is_counted(source: NegativeSource, tmp_path: Path) -> None:
    audit([source], out=tmp_path / "part", config=ScoreConfig(sample=4, replicates=0))
    rewrite(tmp_path / "part", [(0, 0, "short")])
    assert clean(source, tmp_path / "part", checks=["short"]).metadata.details["clean"]["unchecked_records"] == 2


@pytest.mark.parametrize(
    ("checks", "drop", "message"),
    [
        (["unrelatd"], "negatives", "did you mean 'unrelated'"),
        ([], "negatives", "no check is named; choose among those that were run: hubs, label_conflict, short, unrelated"),
        (["label_conflict"], "negatives", "was not run on 'mine' .it needs the qrels."),
        (["unrelated"], "passages", "drop must be one of negatives, records"),
    ],
)
def test_a_wrong_wish_is_refused(source: NegativeSource, audited: Path, checks: list[str], drop: str, message: str) -> None:
    with pytest.raises(NegauditError, match=message):
        clean(source, audited, checks=checks, drop=drop)  # type: ignore[arg-type]


def test_another_file_under_the_name_is_refused(source: NegativeSource, audited: Path) -> None:
    other = NegativeSource.from_records(list(source.records())[::-1], source.metadata)
    with pytest.raises(NegauditError, match="the audit is of other records under that name"):
        clean(other, audited, checks=["unrelated"])
    with pytest.raises(NegauditError, match="unknown source in this audit 'mime'; did you mean 'mine'"):
        clean(source.renamed("mime"), audited, checks=["unrelated"])


def test_nothing_left_and_no_flags_are_refused(source: NegativeSource, audited: Path) -> None:
    rewrite(audited, [(i, j, "hubs") for i in range(6) for j in range(3)])
    with pytest.raises(NegauditError, match="none of its 6 records would be left"):
        clean(source, audited, checks=["hubs"])
    (audited / "flags.parquet").unlink()
    with pytest.raises(NegauditError, match=r"flags\.parquet: cannot be read"):
        clean(source, audited, checks=["hubs"])
