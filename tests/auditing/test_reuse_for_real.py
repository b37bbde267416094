"""On the packaged SciFact: an envelope refuses another real encoder contract, and cleaning takes out what a control put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.auditing.auditor import audit
from negaudit.auditing.clean import clean
from negaudit.auditing.encoders import criterion
from negaudit.controls.builder import build_controls
from negaudit.controls.recipe import inline_recipe
from negaudit.data.dataset import open_collection
from negaudit.data.source import NegativeSource
from negaudit.data.store import write_source
from negaudit.encoding.encoder import FrozenEncoder, load_encoder
from negaudit.errors import NegauditError
from negaudit.mining.bm25 import mine_bm25
from negaudit.resources import resource
from negaudit.scoring.config import ScoreConfig
from tests.auditing.test_auditor import BETWEEN, FAR, NEAR
from tests.encoders import embedding_cache, packaged_encoder  # noqa: F401


def test_cleaning_takes_out_exactly_the_copies_that_a_control_put_in(tmp_path: Path) -> None:
    collection = open_collection(resource("scifact"))
    whole = mine_bm25(collection, k=5)
    mined = NegativeSource.from_table(whole.to_table().slice(0, 100), whole.metadata)
    recipes = [inline_recipe("mine=own_positive,fraction=0.4,mode=count")]
    built = build_controls({"bm25": mined}, collection=collection, recipes=recipes)["mine"].with_role("candidate")
    file = write_source(built, tmp_path / "mine.parquet")
    sources = {"bm25": mined.with_role("genuine"), "mine": file}
    result = audit(sources, collection=collection, config=ScoreConfig(replicates=100), out=tmp_path / "audit")
    assert result.body["sources"]["mine"]["verdict"]["usable"] == "no"
    assert result.failing("error") == ["mine"]
    cleaned = clean(NegativeSource.from_parquet(file), tmp_path / "audit", checks=["own_positive"])
    expected = [[n.text for n in record.negatives if not n.replaced] for record in built.records()]
    assert [[n.text for n in record.negatives] for record in cleaned.records()] == expected
    assert cleaned.metadata.counts["negatives"]["rejected"] == {"own_positive": built.metadata.details["control"]["replaced"]}
    again = audit({"bm25": mined, "mine": cleaned}, genuine=["bm25"], collection=collection, config=ScoreConfig(replicates=100))
    assert again.body["sources"]["mine"]["checks"]["own_positive"]["value"] == 0


@pytest.mark.acceptance
def test_an_envelope_holds_for_its_real_contract_alone(packaged_encoder: FrozenEncoder, tmp_path: Path) -> None:  # noqa: F811
    audit([NEAR, BETWEEN], encoder=packaged_encoder, out=tmp_path / "first")
    held = audit([FAR], encoder=packaged_encoder, reference=tmp_path / "first")
    assert set(held.body["envelope"]) == {"mean_rho", "mean_eta", "mean_psi", "inversion_rate"}
    assert set(audit([FAR], reference=tmp_path / "first").body["sources"]["far"]["profile"]) == {"mean_psi"}
    other = load_encoder(device="cpu", max_length=64, cache=tmp_path / "cache")
    with pytest.raises(NegauditError, match=r"another encoder contract \(max_length is 64 here and 128 there\)"):
        audit([FAR], encoder=other, reference=tmp_path / "first", out=tmp_path / "second")
    assert not (tmp_path / "second").exists()
    assert not list((tmp_path / "cache").rglob("vectors*")) or not any(f.stat().st_size for f in (tmp_path / "cache").rglob("vectors*"))


@pytest.mark.acceptance
def test_on_scifact_the_composite_prefers_six_controls_at_least_to_the_best_genuine_source(packaged_encoder: FrozenEncoder) -> None:  # noqa: F811
    from negaudit.mining.dense import mine_dense
    from negaudit.scoring.scorer import score

    collection = open_collection(resource("scifact"))
    genuine = {"bm25": mine_bm25(collection), "dense": mine_dense(collection, encoder=packaged_encoder)}
    controls = build_controls(genuine, collection=collection, encoder=packaged_encoder)
    assert len(controls) == 8
    run = score({**genuine, **controls}, encoder=packaged_encoder, config=ScoreConfig(replicates=0)).summary
    found = criterion({"packaged": run}, genuine=list(genuine))
    composite = found["criterion"]["composite"]["packaged"]
    assert not composite["holds"]
    assert len(composite["above_best_genuine"]) >= 6
    assert composite["ranking"][-1] == "own_positive"
