"""`negaudit compare`, `match`, `stability` and `slices`: what goes to stdout, where results lie, and one line for whatever is wrong."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Negaudit
from tests.comparing.simulated import three_sources, write_folder

PAPER = Path(__file__).resolve().parents[2] / "examples" / "paper"


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "scored", three_sources(np.random.default_rng(0), 60, k=3))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("compare", ["--replicates", 20]),
        ("match", ["--bins", "5,10", "--repetitions", 3, "--replicates", 20]),
        ("stability", ["--repetitions", 5]),
        ("slices", ["--by", "position", "--replicates", 20]),
    ],
)
def test_each_prints_the_document_that_it_leaves_beside_the_scores(negaudit: Negaudit, scored: Path, command: str, options: list[object]):
    ran = negaudit(command, "scored", *options, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out) == json.loads((scored / f"{command}.json").read_text())
    assert negaudit(command, "scored", *options, "--quiet").out.strip() == f"scored/{command}.json"
    assert "written to" in negaudit(command, "scored", *options).out
    kept = negaudit(command, "scored", "--overwrite", "missing", "--json")
    assert json.loads(kept.out) == json.loads(ran.out)
    assert negaudit(command, "scored", "--overwrite", "never").code == 2


def test_a_format_leaves_nothing_but_the_table_on_stdout(negaudit: Negaudit, scored: Path):
    rows = list(csv.DictReader(io.StringIO(negaudit("compare", "scored", "--replicates", 20, "--format", "csv").out)))
    assert {row["source"] for row in rows} == {"BM25", "Dense", "LLM"}
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows if row["statistic"] == "mean_psi")
    assert negaudit("compare", "scored", "--replicates", 20, "--format", "md").out.startswith("**Statistics")
    assert negaudit("compare", "scored", "--replicates", 20, "--format", "latex").out.rstrip().splitlines()[-1] == r"\end{tabular}"


def test_the_papers_tables_are_a_run_of_their_own(negaudit: Negaudit, tmp_path: Path):
    tables = ["--statistics", PAPER / "table2_residuality.csv", "--statistics", PAPER / "table3_diagnostics.csv"]
    ran = negaudit("compare", "--transfer", PAPER / "table1_means.csv", *tables, "--format", "md")
    assert ran.code == 0, ran.err
    assert "| mean_psi | larger | 6/6 | 18/18 | 0.985 | 0.973 | 1.000 | 1.000 |" in ran.out
    assert "three points" in ran.out
    assert (tmp_path / "agreement.json").exists()


def test_scored_folders_are_held_against_transfer_by_backbone(negaudit: Negaudit, scored: Path, tmp_path: Path):
    lines = [f"sim,{source},x,{value}" for source, value in (("BM25", 0.1), ("Dense", 0.2), ("LLM", 0.3))]
    (tmp_path / "t.csv").write_text("\n".join(["backbone,source,dataset,ndcg@10", *lines]))
    ran = negaudit("compare", "sim=scored", "--transfer", "t.csv", "--json")
    body = json.loads(ran.out)
    assert [block["setting"] for block in body["blocks"]] == ["K=3"]
    assert next(row for row in body["rows"] if row["statistic"] == "mean_psi")["recovered"] == 1


def test_whatever_is_wrong_is_one_line_with_exit_code_two(negaudit: Negaudit, scored: Path, tmp_path: Path):
    cases = {
        "no finished run there": ["compare", "nowhere"],
        "there is nothing to compare": ["compare"],
        "BACKBONE=DIR is for --transfer": ["compare", "e5=scored"],
        "needs --transfer FILE": ["compare", "--statistics", "s.csv"],
        "give BACKBONE=scored": ["compare", "scored", "--transfer", PAPER / "table1_means.csv"],
        "give --out DIR": ["compare", "scored", "other"],
        "cannot be read as CSV": ["compare", "--transfer", "missing.csv", "--statistics", PAPER / "table2_residuality.csv"],
        "there is no statistic": ["compare", "--transfer", PAPER / "table1_means.csv"],
        "--bins must be": ["match", "scored", "--bins", "ten"],
        "bins must be whole numbers from 1 to 1000, got 0": ["match", "scored", "--bins", "0"],
        "from 1 to 1000, got 99999999": ["match", "scored", "--bins", "99999999"],
        "did you mean 'LLM'": ["match", "scored", "--source", "LLMs", "--source", "BM25"],
        "unknown statistic": ["stability", "scored", "--statistic", "psi"],
        "unknown slice 'ranks'": ["slices", "scored", "--by", "ranks"],
        "need the scored files": ["slices", "scored", "--by", "rank"],
        "needs --table FILE": ["slices", "scored", "--column", "kind"],
        "was not scored there": ["slices", "scored", "--by", "rank", "--source", "x=y.parquet"],
        "two files are named 'x'": ["slices", "scored", "--by", "rank", "--source", "x=y.parquet", "--source", "x=z.parquet"],
    }
    for message, arguments in cases.items():
        ran = negaudit(*arguments)
        assert (ran.code, ran.out) == (2, ""), (message, ran)
        lines = [line for line in ran.err.splitlines() if line]
        assert len(lines) == 1, ran.err
        assert message in lines[0], (message, lines)
    assert not list(tmp_path.glob("*.json"))
