"""One factor at a time: every variant is what a run of its own measures, ranges span them, and a turned order is named."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from negaudit.data.dataset import open_collection
from negaudit.data.source import NegativeSource
from negaudit.encoding.encoder import FrozenEncoder
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import mine_bm25
from negaudit.reporting.sensitivity_table import sensitivity_table
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.scorer import score
from negaudit.scoring.sensitivity import Variants, sensitivity
from tests.encoders import embedding_cache, minilm_l3, minilm_l3_path
from tests.scoring.conftest import MakeSource

__all__ = ["embedding_cache", "minilm_l3", "minilm_l3_path"]
CONFIG = ScoreConfig(sample=30, replicates=0)


@pytest.fixture(scope="module")
def two_sources(shared_data: Path) -> list[NegativeSource]:
    """BM25 negatives of 40 stackfaq questions, near ones and farther ones."""
    mined = mine_bm25(open_collection(shared_data / "stackfaq"), k=8)
    records = list(islice(mined.records(), 40))
    halves = {"near": slice(0, 4), "far": slice(4, 8)}
    return [
        NegativeSource.from_records([replace(r, negatives=r.negatives[part]) for r in records], replace(mined.metadata, name=name))
        for name, part in halves.items()
    ]


def test_each_variant_is_what_a_run_of_its_own_measures(
    two_sources: list[NegativeSource], minilm_l3: FrozenEncoder, tmp_path: Path
) -> None:
    body = sensitivity(two_sources, encoder=minilm_l3, config=CONFIG, out=tmp_path)
    assert json.loads((tmp_path / "sensitivity.json").read_text()) == body
    assert len(body["variants"]) == 3 + 2 + 3
    for row in body["variants"]:
        value = float(row["value"]) if row["factor"] == "tau" else row["value"]
        alone = score(two_sources, encoder=minilm_l3, config=replace(CONFIG, **{row["factor"]: value})).sources
        for name, found in row["sources"].items():
            assert found["mean_psi"] == alone[name]["mean_psi"], row
            assert found["composite"] == pytest.approx(alone[name]["eci"]["composite"]["logdet"], rel=1e-12)
    near = body["sources"]["near"]["composite"]
    values = [row["sources"]["near"]["composite"] for row in body["variants"] if row["factor"] == "tokenizer"]
    assert near["tokenizer"] == [min(near["base"], *values), max(near["base"], *values)]
    assert near["tokenizer"][0] < near["tokenizer"][1]


def test_texts_are_encoded_once_for_all_variants(
    two_sources: list[NegativeSource], minilm_l3_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from negaudit.encoding.encoder import load_encoder

    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path)
    seen: list[str] = []
    encode = encoder._model.encode
    monkeypatch.setattr(encoder._model, "encode", lambda texts, *rest: (seen.extend(texts), encode(texts, *rest))[1])
    sensitivity(two_sources, encoder=encoder, config=CONFIG)
    assert 0 < len(seen) == len(set(seen))


def test_an_order_that_turns_is_named_with_the_value_that_turns_it(make_source: MakeSource) -> None:
    # "rare" keeps the one rare word, "common" two common ones: idf decides which covers more.
    filler = [f"apple pear plum {i}" for i in range(20)]
    rare = make_source("rare", [("q", "apple pear quince", ["x"], ["quince alone"]), ("f", "apple", ["x"], filler)])
    common = make_source("common", [("q", "apple pear quince", ["x"], ["apple pear"]), ("f", "apple", ["x"], filler)])
    body = sensitivity([rare, common], variants=Variants(tokenizers=(), taus=()))
    order = body["order"]["mean_psi"]
    assert [change["value"] for change in order["changes"]] == ["uniform"]
    assert order["changes"][0]["order"] == order["base"][::-1]
    assert "composite" not in body["order"]
    from rich.console import Console

    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(sensitivity_table(body))
    assert "idf uniform: " in console.export_text()


def test_an_unknown_variant_is_refused_by_name(make_source: MakeSource, cats: NegativeSource) -> None:
    with pytest.raises(NegauditError, match="unknown idf corpus 'pool'"):
        sensitivity([cats], variants=Variants(idfs=("pool",)))
