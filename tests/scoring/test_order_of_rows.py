"""Row order and chunk size on a real collection: no lexical number changes by a bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from negaudit.data.dataset import open_collection
from negaudit.data.source import NegativeSource
from negaudit.mining.bm25 import mine_bm25
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.scorer import score


@pytest.mark.parametrize("config", [ScoreConfig(sample=None), ScoreConfig(sample=500)])
def test_shuffled_rows_and_chunks_of_a_hundred_change_no_bit_on_stackfaq(shared_data: Path, tmp_path: Path, config: ScoreConfig) -> None:
    mined = mine_bm25(open_collection(shared_data / "stackfaq"))
    table = mined.to_table()
    order = np.random.default_rng(0).permutation(table.num_rows)
    shuffled = NegativeSource.from_table(table.take(order), mined.metadata)
    whole = score([mined], config=config, out=tmp_path / "whole")
    assert whole.summary == score([mined], config=config, out=tmp_path / "chunks", chunk=100).summary
    assert whole.summary == score([shuffled], config=config, out=tmp_path / "shuffled").summary
    files = [pl.read_parquet(tmp_path / name / "bm25" / "negatives.parquet") for name in ("whole", "chunks", "shuffled")]
    assert files[0].equals(files[1])
    keys = ["query_id", "negative_index"]
    assert files[0].drop("record").sort(keys).equals(files[2].drop("record").sort(keys))
