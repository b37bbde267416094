"""A saved envelope comes back as it was, and refuses a run that it does not hold for."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from negaudit.auditing.auditor import audit
from negaudit.auditing.reference import KEY, load_reference
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig
from tests.auditing.test_auditor import BETWEEN, FAR, NEAR

CONTRACT = {"model": "m", "weights": "a" * 32, "max_length": 128, "query_prefix": ""}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    audit([NEAR, BETWEEN], out=tmp_path / "first")
    return tmp_path / "first" / "envelope.parquet"


def test_it_comes_back_as_it_was(saved: Path) -> None:
    first = audit([NEAR, BETWEEN])
    reference = load_reference(saved)
    assert dict(reference.envelope.thresholds) == first.body["envelope"]
    assert {n: [f.statistic for f in flags] for n, flags in reference.leave_one_out.items()} == first.body["leave_one_out"]
    assert reference.body["split_half"] == first.body["split_half"] != {}
    assert load_reference(saved.parent).hash == reference.hash


def test_a_source_measured_later_has_the_psi_it_would_have_had_then(saved: Path) -> None:
    late = audit([NEAR], reference=saved)
    assert late.summary["lexical"]["fingerprint"] == load_reference(saved).body["idf"]["fingerprint"]
    assert late.body["sources"]["near"]["profile"] == audit([NEAR, BETWEEN]).body["sources"]["near"]["profile"]
    assert late.body["sources"]["near"]["flags"] == {}
    assert audit([FAR], reference=saved).flagged == ["far"]


def test_the_same_envelope_has_the_same_bytes_and_another_has_another_hash(saved: Path, tmp_path: Path) -> None:
    audit([NEAR, BETWEEN], out=tmp_path / "again")
    assert (tmp_path / "again" / "envelope.parquet").read_bytes() == saved.read_bytes()
    audit([NEAR], out=tmp_path / "less")
    assert load_reference(tmp_path / "less").hash != load_reference(saved).hash


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (ScoreConfig(tokenizer="char3"), "built with tokenizer alnum, this run uses char3"),
        (ScoreConfig(idf="source"), "rests on its own idf table; leave --idf out"),
    ],
)
def test_another_lexical_setting_is_refused_by_name(saved: Path, config: ScoreConfig, message: str) -> None:
    with pytest.raises(NegauditError, match=message):
        audit([NEAR], reference=saved, config=config)


def test_another_idf_table_is_refused(saved: Path, tmp_path: Path) -> None:
    audit([FAR], out=tmp_path / "other")
    with pytest.raises(NegauditError, match="another idf table than this run's"):
        audit([NEAR], reference=saved, config=ScoreConfig(idf=f"saved:{tmp_path / 'other'}"))


def test_another_contract_is_refused_by_what_differs_but_not_for_the_models_name(saved: Path) -> None:
    reference = load_reference(saved)
    encoded = type(reference)({**reference.body, "encoder": CONTRACT}, saved)
    encoded.check(contract={**CONTRACT, "model": "the same under another name"}, tokenizer="alnum", tau=0.05)
    encoded.check(contract=None, tokenizer="alnum", tau=0.1)  # psi alone is compared, and knows no tau
    with pytest.raises(NegauditError, match=r"another encoder contract \(max_length is 64 here and 128 there\)"):
        encoded.check(contract={**CONTRACT, "max_length": 64}, tokenizer="alnum", tau=0.05)
    with pytest.raises(NegauditError, match=r"built with tau 0\.05, this run uses 0\.1"):
        encoded.check(contract=CONTRACT, tokenizer="alnum", tau=0.1)


def test_an_envelope_that_was_edited_or_cut_is_refused(saved: Path) -> None:
    table = pq.read_table(saved)
    metadata = dict(table.schema.metadata)
    edited = metadata[KEY].replace(b'"mean_psi": 0.', b'"mean_psi": 1.')
    assert edited != metadata[KEY]
    pq.write_table(table.replace_schema_metadata({**metadata, KEY: edited}), saved)
    with pytest.raises(NegauditError, match="not what was written"):
        load_reference(saved)
    pq.write_table(table.slice(1), saved)
    with pytest.raises(NegauditError, match="not what was written"):
        load_reference(saved)
    saved.write_bytes(saved.read_bytes()[:100])
    with pytest.raises(NegauditError, match="no saved envelope can be read here"):
        load_reference(saved)


def test_no_envelope_is_saved_where_each_source_has_its_own_idf(tmp_path: Path) -> None:
    audit([NEAR, FAR], config=ScoreConfig(idf="source"), out=tmp_path / "own")
    assert not (tmp_path / "own" / "envelope.parquet").exists()
