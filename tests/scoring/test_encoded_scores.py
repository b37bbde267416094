"""Scoring with a frozen encoder: every number of a real collection against the float64 reference, and what cannot be scored."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from negaudit.data.dataset import open_collection
from negaudit.data.metadata import SourceMetadata
from negaudit.data.record import Negative, Record
from negaudit.data.source import NegativeSource
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import mine_bm25
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.scorer import score
from tests import reference
from tests.encoders import embedding_cache, minilm_l3, minilm_l3_path, packaged_encoder

__all__ = ["embedding_cache", "minilm_l3", "minilm_l3_path", "packaged_encoder"]
TAU = 0.05


def with_own_positives(source: NegativeSource, every: int) -> NegativeSource:
    """Return the source with the first positive put in place of every `every`-th record's last negative."""
    records = []
    for i, record in enumerate(source.records()):
        copied = (*record.negatives[:-1], Negative(record.positives[0], "copy")) if i % every == 0 else record.negatives
        records.append(Record(record.query_id, record.query, record.positives, copied, record.positive_ids))
    return NegativeSource.from_records(records, SourceMetadata(source.name))


def unit_vectors(encoder: FrozenEncoder, texts: list[str]) -> dict[str, np.ndarray]:
    """Return float64 unit vectors of the distinct texts through sentence-transformers' own encode, one text at a time."""
    from sentence_transformers import SentenceTransformer

    model: SentenceTransformer = encoder._model._model
    distinct = sorted(set(texts))
    vectors = model.encode(distinct, batch_size=16, convert_to_numpy=True, show_progress_bar=False).astype(np.float64)
    return dict(zip(distinct, vectors / np.linalg.norm(vectors, axis=1, keepdims=True), strict=True))


def check_against_reference(source: NegativeSource, encoder: FrozenEncoder, folder: Path) -> None:
    """Score `source` and hold each pair and each mean to an independent computation."""
    summary = score([source], encoder=encoder, config=ScoreConfig(sample=None), out=folder).sources[source.name]
    records = list(source.records())
    df, count = reference.idf(t for r in records for t in (*r.positives, *(n.text for n in r.negatives)))
    texts = [t for r in records for t in (r.query, r.positives[0], *(n.text for n in r.negatives))]
    vectors = unit_vectors(encoder, texts)
    rows, weights, residuals = [], [], []
    for r in records:
        u, positive = vectors[r.query], vectors[r.positives[0]]
        for negative in r.negatives:
            v, same = vectors[negative.text], negative.text == r.positives[0]
            s_pos, s_neg, between = u @ positive, u @ (positive if same else v), 1.0 if same else positive @ v
            rho, eta = reference.sigmoid((s_pos - s_neg) / TAU), reference.sigmoid((between - s_neg) / TAU)
            psi = reference.psi(r.query, negative.text, df, count)
            rows.append((psi, s_pos, s_neg, between, rho, eta, bool(s_neg - s_pos > 1e-6)))
            delta = positive - v
            weights.append(rho * eta * psi)
            residuals.append(np.zeros_like(delta) if same else delta / np.linalg.norm(delta))
    expected = np.array(rows, float)
    columns = ["psi", "s_pos", "s_neg", "s_posneg", "rho", "eta", "inverted"]
    found = pl.read_parquet(folder / source.name / "negatives.parquet").select(columns).cast(pl.Float64).to_numpy()
    for column, bound in zip(range(7), [1e-9, 1e-6, 1e-6, 1e-6, 1e-5, 1e-5, 0], strict=True):
        near_tie = np.abs(expected[:, 1] - expected[:, 2]) < 3e-6 if columns[column] == "inverted" else np.zeros(len(expected), bool)
        assert np.abs(found - expected)[~near_tie, column].max() <= bound, columns[column]
    assert summary["mean_psi"] == pytest.approx(math.fsum(expected[:, 0]) / len(expected), abs=1e-9)
    assert summary["mean_rho"] == pytest.approx(expected[:, 4].mean(), abs=1e-5)
    volume, trace = reference.volume(weights, np.array(residuals))
    assert summary["eci"]["composite"]["logdet"] == pytest.approx(volume, rel=1e-6)
    assert summary["eci"]["composite"]["trace"] == pytest.approx(trace, rel=1e-6)
    copies = pl.read_parquet(folder / source.name / "negatives.parquet").filter(pl.col("origin") == "copy")
    assert len(copies) > 0
    assert not copies["inverted"].any()
    assert (copies["residual_norm"] == 0).all()
    assert (copies["rho"] == 0.5).all()


def test_every_number_of_forty_real_records_equals_the_reference(shared_data: Path, minilm_l3: FrozenEncoder, tmp_path: Path) -> None:
    mined = mine_bm25(open_collection(shared_data / "stackfaq"), k=5)
    records = [record for record, _ in zip(mined.records(), range(40), strict=False)]
    few = NegativeSource.from_records(records, SourceMetadata("bm25"))
    check_against_reference(with_own_positives(few, every=4), minilm_l3, tmp_path)


@pytest.mark.acceptance
def test_every_number_of_stackfaq_equals_the_reference(shared_data: Path, packaged_encoder: FrozenEncoder, tmp_path: Path) -> None:
    mined = mine_bm25(open_collection(shared_data / "stackfaq"))
    check_against_reference(with_own_positives(mined, every=10), packaged_encoder, tmp_path)


def test_chunks_change_no_number_beyond_the_order_of_float_sums(shared_data: Path, minilm_l3: FrozenEncoder) -> None:
    mined = mine_bm25(open_collection(shared_data / "xquad_en"), k=3)
    few = NegativeSource.from_records([record for record, _ in zip(mined.records(), range(50), strict=False)], mined.metadata)
    whole, chunked = (score([few], encoder=minilm_l3, chunk=chunk).sources["bm25"] for chunk in (1000, 7))
    for name, value in whole.items():
        if name == "eci":
            assert chunked[name]["composite"]["logdet"] == pytest.approx(value["composite"]["logdet"], rel=1e-12)
        else:
            assert chunked[name] == value, name


def test_pairs_without_a_usable_vector_are_counted_and_not_scored(minilm_l3: FrozenEncoder, tmp_path: Path) -> None:
    records = [
        Record("q1", "how long do cats sleep", ("Most of the day.",), (Negative("Broken one.", "x"), Negative("Dogs bark.", "x"))),
        Record("q2", "why do dogs bark", ("They hear strangers.",), (Negative("Broken one.", "x"),)),
    ]
    broken = _Broken(minilm_l3, "Broken one.")
    summary = score([NegativeSource.from_records(records, SourceMetadata("x"))], encoder=broken).sources["x"]  # type: ignore[arg-type]
    assert summary["records"] == {"read": 2, "valid": 1, "scored": 1, "rejected": {"unusable_embedding": 1}}
    assert summary["negatives"] == {"read": 3, "valid": 1, "scored": 1, "rejected": {"unusable_embedding": 2}}


def test_an_encoder_that_gives_no_finite_vector_is_one_line_and_no_manifest(minilm_l3: FrozenEncoder, tmp_path: Path) -> None:
    records = [Record("q1", "how long do cats sleep", ("Most of the day.",), (Negative("Broken one.", "x"),))]
    broken = _Broken(minilm_l3, "Broken one.")
    with pytest.raises(NegauditError, match="no usable vector"):
        score([NegativeSource.from_records(records, SourceMetadata("x"))], encoder=broken, out=tmp_path)  # type: ignore[arg-type]
    assert not (tmp_path / "summary.json").exists()
    assert not list(tmp_path.rglob("*.tmp"))


class _Broken:
    """A real encoder whose vector of one text is taken for unusable, as a model with a NaN in its weights would have it."""

    def __init__(self, encoder: FrozenEncoder, text: str) -> None:
        self._encoder, self._text, self.contract = encoder, text, encoder.contract

    def embed(self, texts: list[str], kind: str, *, progress: object = None) -> object:
        from dataclasses import replace

        found = self._encoder.embed(texts, kind)  # type: ignore[arg-type]
        return replace(found, usable=found.usable & np.array([text != self._text for text in texts]))
