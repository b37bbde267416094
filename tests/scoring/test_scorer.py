"""Scoring small sources: exact lexical numbers, counts with denominators, refusals, and files that hold what was said."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest

from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.scorer import score
from negaudit.text.idf import IdfTable
from tests import reference
from tests.scoring.conftest import MakeSource

WORDS = ["cat", "dog", "bird", "fish", "sleep", "bark", "fly", "swim", "long", "day", "night", "water", "tree", "stone", "river"]


def random_rows(count: int, seed: int) -> list[tuple[str, str, list[str], list[str]]]:
    """Return records of short random texts, in which passages recur."""
    rng = random.Random(seed)
    passages = [" ".join(rng.choices(WORDS, k=rng.randint(3, 9))) for _ in range(count)]
    return [(f"q{i}", " ".join(rng.choices(WORDS, k=4)), [rng.choice(passages)], rng.sample(passages, 5)) for i in range(count)]


def pairs(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / name / "negatives.parquet")


def test_psi_equals_the_reference_over_sets(cats: NegativeSource, tmp_path: Path) -> None:
    score([cats], out=tmp_path)
    documents = [text for record in cats.records() for text in (*record.positives, *(n.text for n in record.negatives))]
    df, count = reference.idf(documents)
    queries = {record.query_id: record for record in cats.records()}
    for row in pairs(tmp_path, "cats").iter_rows(named=True):
        record = queries[row["query_id"]]
        expected = reference.psi(record.query, record.negatives[row["negative_index"]].text, df, count)
        assert row["psi"] == pytest.approx(expected, abs=1e-12)
        assert row["psi"] == 1 - row["coverage"]


def test_every_record_and_negative_is_accounted_for_by_reason(cats: NegativeSource) -> None:
    source = score([cats]).sources["cats"]
    assert source["records"] == {
        "read": 5, "valid": 2, "scored": 2, "rejected": {"query_without_tokens": 1, "no_positive": 1, "no_negative": 1},
    }  # fmt: skip
    assert source["negatives"] == {"read": 9, "valid": 4, "scored": 4, "rejected": {"in_rejected_record": 4, "empty": 1}}


def test_negative_index_and_record_are_positions_in_the_source(cats: NegativeSource, tmp_path: Path) -> None:
    score([cats], out=tmp_path)
    found = pairs(tmp_path, "cats").select("record", "negative_index", "query_id", "negative_id", "origin").rows()
    expected = [(0, 0, "q1", "n0"), (0, 1, "q1", "n1"), (1, 0, "q2", "n0"), (1, 1, "q2", "n1")]
    assert found == [(*row, "cats") for row in expected]


def test_row_order_and_chunk_size_change_no_bit(make_source: MakeSource, tmp_path: Path) -> None:
    rows = random_rows(300, seed=1)
    shuffled = list(rows)
    random.Random(2).shuffle(shuffled)
    config = ScoreConfig(sample=200)
    whole = score([make_source("a", rows)], config=config, out=tmp_path / "whole")
    chunked = score([make_source("a", rows)], config=config, out=tmp_path / "chunked", chunk=7)
    other = score([make_source("a", shuffled)], config=config, out=tmp_path / "shuffled", chunk=50)
    assert whole.summary == chunked.summary == other.summary
    assert pairs(tmp_path / "whole", "a").equals(pairs(tmp_path / "chunked", "a"))
    keys = ["query_id", "negative_index"]
    one, two = (pairs(tmp_path / name, "a").drop("record").sort(keys) for name in ("whole", "shuffled"))
    assert one.equals(two)


def test_the_same_seed_samples_the_same_queries_in_every_source(make_source: MakeSource, tmp_path: Path) -> None:
    one, other = make_source("one", random_rows(100, 1)), make_source("other", list(reversed(random_rows(100, 2))))
    score([one, other], config=ScoreConfig(sample=30, seed=0), out=tmp_path / "0")
    score([one], config=ScoreConfig(sample=30, seed=1), out=tmp_path / "1")
    queries = [set(pairs(tmp_path / "0", name)["query_id"]) for name in ("one", "other")]
    assert queries[0] == queries[1]
    assert len(queries[0]) == 30
    assert queries[0] != set(pairs(tmp_path / "1", "one")["query_id"])


def test_idf_counts_all_records_before_sampling_and_leaves_controls_out(make_source: MakeSource, tmp_path: Path) -> None:
    rows = random_rows(60, 3)
    control = make_source("control", [("c", "cat", ["Unheard of."], ["Neither was this."])], role="control")
    score([make_source("a", rows), control], config=ScoreConfig(sample=5), out=tmp_path)
    table = IdfTable.load(tmp_path)
    documents = {text for row in rows for text in (*row[2], *row[3])}
    assert table.documents == len(documents)
    assert dict(zip(table.tokens.to_pylist(), table.df.tolist(), strict=True)) == dict(reference.idf(documents)[0])


def test_idf_corpora_weigh_as_their_names_say(make_source: MakeSource, tmp_path: Path) -> None:
    sources = [make_source("a", random_rows(40, 4)), make_source("b", random_rows(20, 5))]
    documents = {s.name: {t for r in s.records() for t in (*r.positives, *(n.text for n in r.negatives))} for s in sources}
    queries = {r.query for s in sources for r in s.records()}
    pooled = documents["a"] | documents["b"]
    expected = {
        "pooled": (pooled, pooled),
        "source": (documents["a"], documents["b"]),
        "pooled+query": (pooled | queries, pooled | queries),
    }
    for idf, corpora in expected.items():
        result = score(sources, config=ScoreConfig(idf=idf), out=tmp_path / idf)
        for source, corpus in zip(sources, corpora, strict=True):
            df, count = reference.idf(corpus)
            values = [reference.psi(r.query, n.text, df, count) for r in source.records() for n in r.negatives]
            assert result.sources[source.name]["mean_psi"] == pytest.approx(sum(values) / len(values), abs=1e-12)
    saved = score(sources[:1], config=ScoreConfig(idf=f"saved:{tmp_path / 'pooled'}"))
    assert (
        saved.summary["lexical"]["fingerprint"] == json.loads((tmp_path / "pooled" / "summary.json").read_text())["lexical"]["fingerprint"]
    )
    assert saved.sources["a"]["mean_psi"] == score(sources).sources["a"]["mean_psi"]


def test_a_corpus_file_is_counted_over_its_distinct_texts(make_source: MakeSource, tmp_path: Path) -> None:
    texts = ["cat sleep", "dog bark night", "cat sleep", "Fish swim."]
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps({"_id": str(i), "text": text}) + "\n" for i, text in enumerate(texts)))
    source = make_source("a", random_rows(30, 7))
    result = score([source], config=ScoreConfig(idf=f"corpus:{path}"), out=tmp_path / "out")
    df, count = reference.idf(texts)
    assert count == 3
    values = [reference.psi(r.query, n.text, df, count) for r in source.records() for n in r.negatives]
    assert result.sources["a"]["mean_psi"] == pytest.approx(sum(values) / len(values), abs=1e-12)
    again = score([source], config=ScoreConfig(idf=f"saved:{tmp_path / 'out'}"))
    assert again.summary["lexical"]["fingerprint"] == result.summary["lexical"]["fingerprint"]
    with pytest.raises(NegauditError, match=r"nowhere\.jsonl"):
        score([source], config=ScoreConfig(idf="corpus:nowhere.jsonl"))


def test_a_saved_idf_of_another_tokenizer_is_refused(cats: NegativeSource, tmp_path: Path) -> None:
    score([cats], out=tmp_path)
    with pytest.raises(NegauditError, match="counted with tokenizer 'alnum'"):
        score([cats], config=ScoreConfig(tokenizer="char3", idf=f"saved:{tmp_path}"))


def test_unsegmented_queries_are_marked_unreliable_with_the_tokenizer_to_use(make_source: MakeSource) -> None:
    source = make_source("ja", [("q", "日本の首都はどこですか", ["東京は日本の首都です。"], ["京都は日本の都市です。"])])
    lexical = score([source]).summary["lexical"]
    assert lexical["reliable"] is False
    assert "--tokenizer words" in lexical["advice"]
    words = score([source], config=ScoreConfig(tokenizer="words"))
    assert words.summary["lexical"]["reliable"] is True
    assert 0 < words.sources["ja"]["mean_psi"] < 1


def test_a_difference_interval_is_paired_over_queries(make_source: MakeSource) -> None:
    rows = random_rows(200, 6)
    harder = [(q, text, positives, [*negatives[:4], text]) for q, text, positives, negatives in rows]
    summary = score([make_source("plain", rows), make_source("harder", harder)]).summary
    low, high = summary["differences"]["mean_psi"]["plain"]["harder"]
    alone = summary["sources"]["plain"]["intervals"]["mean_psi"]
    assert 0 < low < high
    assert high - low < alone[1] - alone[0]


def test_bad_sources_are_one_line_and_leave_no_file(make_source: MakeSource, cats: NegativeSource, tmp_path: Path) -> None:
    out = tmp_path / "out"
    cases = [
        ([cats, cats], "cats"),
        ([], "no source to score"),
        ([make_source("empty", [])], "source 'empty' is empty"),
        ([make_source("mute", [("q", "?!", ["a"], ["b"])])], r"none of its 1 records can be scored \(query_without_tokens 1\)"),
        ([make_source("control", [("q", "a", ["a"], ["b"])], role="control")], "every source is a control"),
    ]
    for sources, message in cases:
        with pytest.raises(NegauditError, match=message) as caught:
            score(sources, out=out)
        assert "\n" not in str(caught.value)
        assert not out.exists()


@pytest.mark.parametrize("settings", [{"tau": 0.0}, {"tau": float("nan")}, {"sample": 0}, {"idf": "pool"}, {"tokenizer": "alnun"}])
def test_settings_out_of_range_are_refused(settings: dict[str, object], cats: NegativeSource) -> None:
    with pytest.raises(NegauditError):
        score([cats], config=ScoreConfig(**settings))  # type: ignore[arg-type]
