"""A run that is killed at any moment loses no journaled record and asks for none of them again."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from negaudit.data.source import NegativeSource
from negaudit.errors import NegauditError
from negaudit.mining.llm.exchange import Sampling
from negaudit.mining.llm.miner import mine_llm
from negaudit.resources import resource
from tests.conftest import REPOSITORY
from tests.mining.llm.canned_server import Answer, good

CLAIMS = 60


def journaled(path: Path) -> dict[str, list]:
    """The finished records that the journal holds, by query id, as far as their lines are whole."""
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    entries = [json.loads(line) for line in lines]
    finished = [entry for entry in entries if "finished" in entry]
    assert len({entry["finished"] for entry in finished}) == len(finished)
    return {entry["finished"]: entry["passages"] for entry in finished}


def start(endpoint: str, out: Path) -> subprocess.Popen:
    options = ["--endpoint", endpoint, "--model", "canned", "--k", "2", "--limit", str(CLAIMS), "--in-flight", "8", "--quiet"]
    command = [sys.executable, "-m", "negaudit.cli.app", "mine", "llm", resource("scifact"), "--split", "train", "--out", out, *options]
    return subprocess.Popen([str(word) for word in command], cwd=REPOSITORY, stderr=subprocess.PIPE, text=True)


def test_killed_at_any_moment(canned, claims, tmp_path):
    canned.script = lambda asked: Answer(good(asked).body, seconds=0.05)
    out, moments = tmp_path / "llm.parquet", random.Random(7)
    journal = tmp_path / "llm.parquet.journal"
    ids = dict(zip(claims.queries["text"].to_pylist(), claims.queries["id"].to_pylist(), strict=True))
    before: dict[str, list] = {}
    for _ in range(4):
        canned.asked = []
        run = start(canned.endpoint, out)
        target = len(before) + moments.randrange(1, 12)
        while len(journaled(journal)) < target and run.poll() is None:
            time.sleep(moments.random() / 50)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        now = journaled(journal)
        assert before.items() <= now.items()
        assert not {ids[query] for query in canned.queries} & before.keys()
        before = now
    assert 4 <= len(before) < CLAIMS
    canned.asked = []
    run = start(canned.endpoint, out)
    assert run.communicate()[1] == ""
    assert not {ids[query] for query in canned.queries} & before.keys()
    written = {record.query_id: [negative.text for negative in record.negatives] for record in NegativeSource.from_parquet(out).records()}
    assert len(written) == CLAIMS
    assert all(written[query_id] == [text for text, _ in passages] for query_id, passages in before.items())


def finish(claims, asking, journal: Path, **options):
    return mine_llm(claims, backend=asking(), journal=journal, **{"k": 2, "limit": 6, **options})


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_torn_entry_is_cut_off_and_asked_for_again(claims, canned, asking, tmp_path, cut):
    journal = tmp_path / "journal"
    whole = finish(claims, asking, journal)
    lost = journal.read_bytes().splitlines()[-1]
    journal.write_bytes(journal.read_bytes()[:-cut])
    canned.asked = []
    again = finish(claims, asking, journal)
    assert len(canned.asked) == 1
    assert json.loads(lost)["finished"] in again.to_table()["query_id"].to_pylist()
    assert again.num_records == whole.num_records == len(journaled(journal))


def test_a_run_that_was_killed_ends_with_the_records_of_one_that_was_not(claims, canned, asking, tmp_path):
    canned.script = lambda asked: good(type(asked)(**{**vars(asked), "number": 0}))
    whole = finish(claims, asking, tmp_path / "whole", limit=20)
    journal = tmp_path / "killed"
    finish(claims, asking, journal, limit=20)
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])
    again = finish(claims, asking, journal, limit=20)
    assert again.fingerprint() == whole.fingerprint()
    assert again.metadata == whole.metadata


def test_a_larger_limit_asks_for_the_new_records_alone(claims, canned, asking, tmp_path):
    few = finish(claims, asking, tmp_path / "journal")
    canned.asked = []
    more = finish(claims, asking, tmp_path / "journal", limit=10)
    assert len(canned.asked) == 4
    assert set(few.to_table()["query_id"].to_pylist()) < set(more.to_table()["query_id"].to_pylist())


@pytest.mark.parametrize(
    "changed", [{"seed": 0}, {"k": 3}, {"prompt": "matched"}, {"sampling": Sampling(temperature=0.1)}, {"min_relevance": 0}], ids=str
)
def test_other_settings_refuse_the_journal_and_name_what_differs(claims, asking, tmp_path, changed):
    finish(claims, asking, tmp_path / "journal")
    before = (tmp_path / "journal").read_bytes()
    name = "parameters" if "k" in changed else next(iter(changed))
    with pytest.raises(NegauditError, match=rf"other settings \({name}\)"):
        finish(claims, asking, tmp_path / "journal", **changed)
    assert (tmp_path / "journal").read_bytes() == before


def test_a_file_that_is_no_journal_is_left_as_it_is(claims, asking, tmp_path):
    for text in ("my notes, without a line end", "my notes\nmore", "{}\n"):
        (tmp_path / "notes").write_text(text)
        with pytest.raises(NegauditError, match="no journal"):
            finish(claims, asking, tmp_path / "notes")
        assert (tmp_path / "notes").read_text() == text


def test_a_journal_damaged_in_the_middle_is_refused_by_its_line(claims, asking, tmp_path):
    finish(claims, asking, tmp_path / "journal")
    lines = (tmp_path / "journal").read_bytes().splitlines(keepends=True)
    (tmp_path / "journal").write_bytes(b"".join([*lines[:2], b'{"finished": "1"}\n', *lines[2:]]))
    with pytest.raises(NegauditError, match="line 3: damaged"):
        finish(claims, asking, tmp_path / "journal")


def test_two_runs_cannot_share_a_journal(claims, canned, asking, tmp_path):
    canned.script = lambda asked: Answer(good(asked).body, seconds=30)
    out = tmp_path / "llm.parquet"
    run = start(canned.endpoint, out)
    while not canned.asked:
        time.sleep(0.02)
    second = start(canned.endpoint, out)
    assert "another run is writing" in second.communicate()[1]
    assert second.returncode == 2
    run.kill()
    run.communicate()


def test_no_request_is_started_once_the_budget_is_spent(claims, canned, asking, tmp_path):
    source = finish(claims, asking, tmp_path / "journal", limit=40, budget_tokens=900)  # 150 tokens a request, four at once
    assert 6 <= len(canned.asked) <= 6 + 3
    assert source.num_records == len(canned.asked)
    assert source.metadata.counts["queries"]["rejected"]["budget"] == 40 - source.num_records
    canned.asked = []
    assert finish(claims, asking, tmp_path / "journal", limit=40, budget_tokens=900).fingerprint() == source.fingerprint()
    assert canned.asked == []
