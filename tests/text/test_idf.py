"""Document frequencies: the formula, saving and loading, the fingerprint."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pytest

from negaudit.errors import NegauditError
from negaudit.text.idf import IdfTable

TABLE = IdfTable.counted({"cat": 1, "the": 3}, documents=3, tokenizer="alnum")


def test_idf_is_the_smoothed_logarithm_plus_one_and_an_unseen_token_has_df_zero() -> None:
    values = TABLE.of(pa.array(["the", "dog", "cat"], pa.large_string()))
    assert values.tolist() == [1.0, math.log(4) + 1, math.log(2) + 1]


def test_a_saved_table_comes_back_with_the_same_fingerprint_and_bytes(tmp_path: Path) -> None:
    first, second = TABLE.save(tmp_path / "a" / "idf.parquet"), TABLE.save(tmp_path / "b.parquet")
    assert first.read_bytes() == second.read_bytes()
    loaded = IdfTable.load(tmp_path / "a")
    assert loaded.fingerprint == TABLE.fingerprint
    assert loaded.of(pa.array(["cat"], pa.large_string())) == TABLE.of(pa.array(["cat"], pa.large_string()))


@pytest.mark.parametrize(
    "other",
    [
        IdfTable.counted({"cat": 2, "the": 3}, 3, "alnum"),
        IdfTable.counted({"cat": 1, "the": 3}, 4, "alnum"),
        IdfTable.counted({"cat": 1, "the": 3}, 3, "alnum2"),
        IdfTable.counted({"cats": 1, "the": 3}, 3, "alnum"),
    ],
)
def test_the_fingerprint_changes_with_all_that_psi_depends_on(other: IdfTable) -> None:
    assert other.fingerprint != TABLE.fingerprint


def test_uniform_weighs_every_token_one() -> None:
    uniform = IdfTable.counted({}, 0, "alnum", "uniform")
    assert uniform.of(pa.array(["x", "y"], pa.large_string())).tolist() == [1.0, 1.0]


def test_a_folder_without_a_table_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NegauditError, match="no saved IDF table"):
        IdfTable.load(tmp_path)
