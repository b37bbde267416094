"""Comparisons of scored folders: what is read, what is refused, and that the order of rows changes nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import negaudit
from negaudit import NegauditError
from negaudit.comparing.grid import Grid
from negaudit.comparing.match import MatchConfig
from negaudit.comparing.stability import StabilityConfig
from negaudit.resources import resource
from tests.comparing.simulated import pairs_of, source_of, three_sources, write_folder

SMALL = MatchConfig(bins=(5,), repetitions=5, replicates=20)
MAKERS = {
    "compare": lambda folder: negaudit.compare(folder, replicates=50),
    "match": lambda folder: negaudit.match(folder, config=SMALL),
    "stability": lambda folder: negaudit.stability(folder, config=StabilityConfig(10)),
    "slices": lambda folder: negaudit.slices(folder, ["position", "origin"], replicates=20),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return write_folder(tmp_path_factory.mktemp("scored"), three_sources(np.random.default_rng(0), 120, k=4))


@pytest.fixture(scope="module")
def scifact(tmp_path_factory) -> Path:
    """BM25 on the packaged collection and its random control, scored without an encoder."""
    out = tmp_path_factory.mktemp("scifact")
    collection = negaudit.open_collection(resource("scifact"))
    bm25 = negaudit.mine_bm25(collection, k=5)
    controls = negaudit.build_controls({"bm25": bm25}, collection=collection, recipes=negaudit.choose_recipes(["random"], ()))
    negaudit.score({"bm25": bm25, **controls}, out=out / "scores")
    negaudit.write_source(bm25, out / "bm25.parquet")
    negaudit.write_source(controls["random"], out / "random.parquet")
    return out


def changed(folder: Path, to: Path, name: str, *, encoder: str | None = None) -> Path:
    """Copy `folder` under another source name, as a run with another encoder."""
    shutil.copytree(folder, to)
    summary = json.loads((to / "summary.json").read_text())
    summary["sources"] = {name: summary["sources"]["BM25"]}
    (to / "BM25").rename(to / name)
    if encoder:
        summary["encoder"]["model"] = encoder
    (to / "summary.json").write_text(json.dumps(summary))
    return to


@pytest.mark.parametrize("what", MAKERS)
def test_the_same_seed_gives_the_same_document_whatever_the_order_of_rows(folder, tmp_path, what):
    moved = write_folder(tmp_path, three_sources(np.random.default_rng(0), 120, k=4), order=np.random.default_rng(1))
    assert pq.read_table(moved / "LLM" / "negatives.parquet") != pq.read_table(folder / "LLM" / "negatives.parquet")
    first, again, other = (json.dumps(MAKERS[what](place)) for place in (folder, folder, moved))
    assert first == again == other


def test_another_seed_gives_other_draws(folder):
    one, two = (negaudit.match(folder, config=MatchConfig((5,), 5, 20, seed)) for seed in (0, 1))
    assert one["binned"]["5"]["sources"] != two["binned"]["5"]["sources"]
    assert one["weighted"]["sources"] == two["weighted"]["sources"]


def test_on_real_sources_values_and_intervals_are_those_of_the_score(scifact):
    body, summary = negaudit.compare(scifact / "scores"), negaudit.load_score(scifact / "scores").summary
    for name, source in summary["sources"].items():
        told = body["sources"][name]["statistics"]["mean_psi"]
        assert told["value"] == pytest.approx(source["mean_psi"], abs=1e-12)
        assert told["interval"] == pytest.approx(source["intervals"]["mean_psi"], abs=1e-12)
    assert body["rankings"]["mean_psi"][0]["groups"] == [["random"], ["bm25"]]
    assert any("controls are ranked too" in note for note in body["notes"])


def test_slices_by_what_only_the_scored_file_tells_add_up(scifact):
    body = negaudit.slices(
        scifact / "scores", ["rank", "query_length", "question_word"], files={"bm25": scifact / "bm25.parquet"}, replicates=20
    )
    scored = negaudit.load_score(scifact / "scores").sources["bm25"]["negatives"]["scored"]
    for parts in body["slices"].values():
        assert sum(part["negatives"]["bm25"] for part in parts) == scored
    with pytest.raises(NegauditError, match="are not those that 'bm25' was scored with"):
        negaudit.slices(scifact / "scores", ["rank"], files={"bm25": scifact / "random.parquet"}, replicates=5)
    psi = [part["statistics"]["mean_psi"]["sources"]["bm25"]["value"] for part in body["slices"]["rank"][:3]]
    assert psi == sorted(psi), "the best matches leave the least of the query uncovered"


def test_matching_needs_an_encoder_and_two_sources(scifact, folder):
    with pytest.raises(NegauditError, match="scored without an encoder"):
        negaudit.match(scifact / "scores", ["bm25", "random"])
    with pytest.raises(NegauditError, match="needs two sources or more, found bm25"):
        negaudit.match(scifact / "scores")
    with pytest.raises(NegauditError, match="did you mean 'BM25'"):
        negaudit.match(folder, ["BM2", "LLM"])


def test_sources_without_a_common_psi_are_not_matched(tmp_path):
    record, half = np.repeat(np.arange(10), 2), np.full(20, 0.5)
    made = {n: source_of(n, pairs_of(record, np.full(20, p), half), [f"q{i}" for i in range(10)]) for n, p in {"a": 0.1, "b": 0.9}.items()}
    with pytest.raises(NegauditError, match=r"share no value of psi \(a 0.100 to 0.100, b 0.900 to 0.900\)"):
        negaudit.match(write_folder(tmp_path, made), config=SMALL)


def test_psi_that_overlaps_in_range_alone_is_not_matched(tmp_path):
    record, half = np.repeat(np.arange(100), 2), np.full(200, 0.5)
    laws = {"ends": np.tile([0.0, 1.0], 100), "middle": np.tile([0.4, 0.6], 100)}
    made = {n: source_of(n, pairs_of(record, psi, half), [f"q{i}" for i in range(100)]) for n, psi in laws.items()}
    with pytest.raises(NegauditError, match="share no value of psi"):
        negaudit.match(write_folder(tmp_path, made), config=SMALL)
    laws = {"a": np.append(np.full(198, 0.4), [0.3, 0.7]), "b": np.append(np.full(198, 0.6), [0.31, 0.69])}
    made = {n: source_of(n, pairs_of(record, psi, half), [f"q{i}" for i in range(100)]) for n, psi in laws.items()}
    with pytest.raises(NegauditError, match="no bin of psi holds negatives of every source; use fewer bins"):
        negaudit.match(write_folder(tmp_path, made), config=SMALL)


def test_a_source_of_one_record_claims_nothing(tmp_path):
    made = {n: source_of(n, pairs_of(np.zeros(3, np.int64), np.full(3, p), np.full(3, p)), ["q"]) for n, p in {"a": 0.2, "b": 0.7}.items()}
    body = negaudit.compare(write_folder(tmp_path, made), replicates=50)
    assert all(len(ranking["groups"]) == 1 for ranking in body["rankings"]["mean_psi"])
    assert any("fewer than 100 records" in note for note in body["notes"])
    for what in MAKERS.values():
        if what is not MAKERS["match"]:
            negaudit.write_comparison(what(tmp_path), tmp_path)


def test_a_single_value_of_psi_is_one_bin_and_one_cell(tmp_path):
    rng, record = np.random.default_rng(0), np.repeat(np.arange(50), 2)
    ids = [f"q{i}" for i in range(50)]
    made = {n: source_of(n, pairs_of(record, np.ones(100), rng.uniform(0.1, 0.9, 100)), ids) for n in "ab"}
    body = negaudit.match(write_folder(tmp_path, made), config=SMALL)
    assert body["binned"]["5"]["retained"] == 100
    for view in ("weighted", "regression"):
        (d,) = body[view]["differences"]["mean_rho"]
        assert d["difference"] == pytest.approx(made["a"].pairs.rho.mean() - made["b"].pairs.rho.mean())


def test_folders_of_one_setting_are_compared_together_and_others_refused(folder, tmp_path):
    same, other = changed(folder, tmp_path / "same", "new"), changed(folder, tmp_path / "other", "new", encoder="another")
    assert list(negaudit.compare([folder, same], replicates=0)["sources"]) == ["BM25", "Dense", "LLM", "new"]
    with pytest.raises(NegauditError, match="cannot be compared: encoder is simulated in one and another in the other"):
        negaudit.compare([folder, other])
    with pytest.raises(NegauditError, match="source 'new' is in both"):
        negaudit.compare([same, changed(folder, tmp_path / "again", "new")])


def test_a_damaged_folder_is_refused_in_one_line(folder, tmp_path):
    def broken(case: str) -> Path:
        place = shutil.copytree(folder, tmp_path / case)
        file = place / "LLM" / "negatives.parquet"
        table = pq.read_table(file)
        if case == "gone":
            file.unlink()
        elif case == "text":
            file.write_text("no parquet")
        elif case == "short":
            pq.write_table(table.slice(0, 7), file)
        elif case == "columns":
            pq.write_table(table.drop_columns("s_neg"), file)
        elif case == "nan":
            pq.write_table(table.set_column(table.column_names.index("s_neg"), "s_neg", pa.array(np.full(len(table), np.nan))), file)
        else:
            (place / "summary.json").write_text("{")
        return place

    for case in ("gone", "text", "short", "columns", "nan", "manifest"):
        with pytest.raises(NegauditError) as caught:
            negaudit.compare(broken(case))
        assert "\n" not in str(caught.value), case
        assert "score" in str(caught.value), case


def test_unreliable_lexical_numbers_are_marked_in_every_document(folder, tmp_path):
    place = shutil.copytree(folder, tmp_path / "scores")
    summary = json.loads((place / "summary.json").read_text())
    summary["lexical"] |= {"reliable": False, "advice": "use --tokenizer words"}
    (place / "summary.json").write_text(json.dumps(summary))
    for maker in MAKERS.values():
        assert "LEXICAL NUMBERS UNRELIABLE: use --tokenizer words" in maker(place)["notes"]


def test_without_replicates_there_are_values_and_no_claims(folder):
    body = negaudit.compare(folder, replicates=0)
    assert all(told["interval"] is None for source in body["sources"].values() for told in source["statistics"].values())
    assert [ranking["groups"] for ranking in body["rankings"]["mean_psi"]] == [[["LLM", "Dense", "BM25"]]]


def test_statistics_that_grow_with_k_rank_sources_of_equal_k_only(tmp_path):
    rng = np.random.default_rng(0)
    sources = three_sources(rng, 60, k=4) | {f"{n}+": s for n, s in three_sources(rng, 60, k=8).items()}
    body = negaudit.compare(write_folder(tmp_path, sources), replicates=20)
    assert [r["setting"] for r in body["rankings"]["ambiguity"]] == ["K=4", "K=8"]
    assert [r["setting"] for r in body["rankings"]["mean_psi"]] == ["all"]


def test_a_document_is_read_back_as_it_was_written(folder, tmp_path):
    for maker in MAKERS.values():
        body = maker(folder)
        negaudit.write_comparison(body, tmp_path)
        assert negaudit.load_comparison(tmp_path, body["schema"]) == json.loads(json.dumps(body))
        for form in ("md", "csv", "latex"):
            assert "LLM" in negaudit.rendered(negaudit.comparison_grids(body), form)


def test_the_curve_of_stability_is_for_programs_and_not_for_reading(folder):
    body = negaudit.stability(folder)
    assert [grid.title for grid in negaudit.comparison_grids(body)] == ["The order in growing samples"]
    curve = negaudit.comparison_grids(body, tidy=True)[-1]
    points = [point["records"] for told in body["statistics"].values() for point in told["curve"]]
    assert [row[1] for row in curve.rows] == points
    assert ",".join(map(str, curve.columns)) in negaudit.rendered(negaudit.comparison_grids(body, tidy=True), "csv")


def test_a_small_p_value_is_printed_as_below_what_is_shown_and_kept_in_csv():
    grid = Grid("t", ("difference", "p (Holm)"), [[0.00001, 0.00001], [0.5, 0.25], [0.0, None]])
    assert grid.text() == [["0.0000", "<0.0001"], ["0.5000", "0.2500"], ["0.0000", "-"]]
    assert "1e-05,1e-05" in negaudit.rendered([grid], "csv")
