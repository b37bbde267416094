"""Tables of transfer and statistics: what makes a block, what counts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.comparing.agreement import agreement
from negaudit.errors import NegauditError

TRANSFER = """backbone,setting,source,dataset,ndcg@10
e5,ten,a,x,0.1
e5,ten,a,y,0.3
e5,ten,b,x,0.2
e5,ten,b,y,0.4
e5,ten,c,x,0.3
e5,ten,c,y,0.5
"""
STATISTICS = "backbone,setting,source,statistic,value\n*,*,a,mean_psi,1\n*,*,b,mean_psi,3\n*,*,c,mean_psi,2\n"


@pytest.fixture
def write(tmp_path: Path):
    def to(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return to


def test_an_order_is_recovered_only_whole_and_pairs_are_counted(write):
    (row,) = agreement(write("t.csv", TRANSFER), statistics=[write("s.csv", STATISTICS)])["rows"]
    assert (row["recovered"], row["pairs_recovered"], row["pairs"]) == (0, 2, 3)
    assert row["pearson"] == pytest.approx(0.5)
    assert row["kendall"] == pytest.approx(1 / 3)


def test_a_statistic_that_ties_where_transfer_does_not_recovers_nothing_there(write):
    tied = STATISTICS.replace("b,mean_psi,3", "b,mean_psi,2")
    (row,) = agreement(write("t.csv", TRANSFER), statistics=[write("s.csv", tied)])["rows"]
    assert (row["recovered"], row["pairs_recovered"]) == (0, 2)


def test_sources_of_equal_transfer_have_no_order_to_recover(write):
    equal = TRANSFER.replace("c,x,0.3", "c,x,0.2").replace("c,y,0.5", "c,y,0.4")
    (row,) = agreement(write("t.csv", equal), statistics=[write("s.csv", STATISTICS)])["rows"]
    assert (row["recovered"], row["pairs"]) == (1, 2)


def test_means_are_over_the_datasets_that_all_sources_have(write):
    body = agreement(write("t.csv", TRANSFER + "e5,ten,a,z,0.99\n"), statistics=[write("s.csv", STATISTICS)])
    assert body["blocks"][0]["transfer"]["a"] == pytest.approx(0.2)
    assert any("leave out z" in note for note in body["notes"])


def test_a_block_without_all_values_does_not_count_and_is_named(write):
    more = TRANSFER + TRANSFER.split("\n", 1)[1].replace("e5", "bert") + "bert,ten,d,x,0.4\nbert,ten,d,y,0.4\n"
    body = agreement(write("t.csv", more), statistics=[write("s.csv", STATISTICS)])
    assert body["rows"][0]["blocks"] == 1
    assert any("no value for d (bert, ten)" in note for note in body["notes"])


def test_without_a_setting_all_sources_of_a_backbone_are_one_block(write):
    lines = [",".join(line.split(",")[:1] + line.split(",")[2:]) for line in TRANSFER.splitlines()]
    body = agreement(write("t.csv", "\n".join(lines)), statistics=[write("s.csv", STATISTICS)])
    assert [block["setting"] for block in body["blocks"]] == ["all"]


@pytest.mark.parametrize(
    ("transfer", "statistics", "message"),
    [
        ("backbone,source\n", STATISTICS, "no column dataset, ndcg@10"),
        ("backbone,setting,source,dataset,ndcg@10\n", STATISTICS, "holds a header and no rows"),
        (TRANSFER + "e5,ten,a,x,0.1\n", STATISTICS, "is there twice"),
        (TRANSFER.replace("0.3", "high"), STATISTICS, "must be a number, got 'high'"),
        (TRANSFER.replace("0.3", "nan"), STATISTICS, "must be a number, got 'nan'"),
        (TRANSFER + "e5,ten,a\n", STATISTICS, "another number of fields"),
        ("backbone,setting,source,dataset,ndcg@10\ne5,ten,a,x,0.1\n", STATISTICS, "no backbone and setting has two sources"),
        (TRANSFER, STATISTICS + "*,*,a,mean_psi,7\n", "is given twice"),
        (TRANSFER, STATISTICS.replace(",a,", ",d,"), "no block's sources all have a statistic"),
        (TRANSFER, "", "no column backbone"),
    ],
)
def test_a_table_that_is_none_is_refused_with_what_is_wrong(write, transfer, statistics, message):
    with pytest.raises(NegauditError, match=message.replace("*", r"\*")) as caught:
        agreement(write("t.csv", transfer), statistics=[write("s.csv", statistics)])
    assert "\n" not in str(caught.value)
