"""A scoring run that is killed takes over the sources it had finished and ends with the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from negaudit.data.source import NegativeSource
from negaudit.data.store import write_source
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.scorer import score
from tests.scoring.conftest import MakeSource
from tests.scoring.test_scorer import random_rows

SCORE = """
import sys, time
from pathlib import Path
from negaudit.scoring.scorer import score
def report(what, done, total):
    if what.startswith("scoring"):
        print(what, flush=True)
        time.sleep(0.2 if what == "scoring c" else 0)
score({name: Path(sys.argv[2]) / f"{name}.parquet" for name in "abc"}, out=Path(sys.argv[1]), report=report, chunk=50)
print("finished", flush=True)
"""


def start(out: Path, inputs: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", SCORE, str(out), str(inputs)], env=environment, stdout=subprocess.PIPE, text=True)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_killed_and_resumed_equals_uninterrupted_byte_for_byte(make_source: MakeSource, tmp_path: Path) -> None:
    for seed, name in enumerate("abc"):
        write_source(make_source(name, random_rows(400, seed)), tmp_path / f"{name}.parquet")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert start(whole, tmp_path).communicate()[0].split()[-1] == "finished"
    process = start(killed, tmp_path)
    assert process.stdout is not None
    while process.stdout.readline().strip() != "scoring c":
        pass
    process.send_signal(signal.SIGKILL)
    assert "finished" not in process.communicate()[0]
    assert not (killed / "summary.json").exists()
    kept = (killed / "a" / "negatives.parquet").stat().st_ino
    resumed = start(killed, tmp_path).communicate()[0].splitlines()
    assert {line for line in resumed if line.startswith("scoring")} == {"scoring c"}
    assert (killed / "a" / "negatives.parquet").stat().st_ino == kept
    assert files(killed) == files(whole)


def interrupted(sources: list[NegativeSource], out: Path, **settings: object) -> list[str]:
    """Score and stop at the last source; return the sources that were scored rather than taken over."""
    scored: list[str] = []

    def report(what: str, done: int, total: int) -> None:
        if what.startswith("scoring ") and what.removeprefix("scoring ") not in scored:
            scored.append(what.removeprefix("scoring "))
        if what == f"scoring {sources[-1].name}":
            raise KeyboardInterrupt

    try:
        score(sources, config=ScoreConfig(**settings), out=out, report=report)  # type: ignore[arg-type]
    except KeyboardInterrupt:
        return scored
    raise AssertionError("it was not interrupted")


def test_nothing_is_taken_over_once_settings_or_inputs_changed(make_source: MakeSource, tmp_path: Path) -> None:
    one, other = make_source("one", random_rows(60, 1)), make_source("other", random_rows(60, 2))
    assert interrupted([one, other], tmp_path) == ["one", "other"]
    assert interrupted([one, other], tmp_path) == ["other"]
    assert interrupted([one, other], tmp_path, seed=7) == ["one", "other"]
    assert interrupted([one, other], tmp_path, seed=7) == ["other"]
    rows = random_rows(60, 1)
    random.Random(0).shuffle(rows)
    assert interrupted([make_source("one", rows), other], tmp_path, seed=7) == ["one", "other"]
    (tmp_path / "one" / "negatives.parquet").write_bytes(b"cut off")
    assert interrupted([make_source("one", rows), other], tmp_path, seed=7) == ["one", "other"]
    (tmp_path / ".unfinished" / "one.npz").write_bytes(b"broken")
    assert interrupted([make_source("one", rows), other], tmp_path, seed=7) == ["one", "other"]


def test_a_finished_run_that_is_scored_again_does_not_look_finished_meanwhile(make_source: MakeSource, tmp_path: Path) -> None:
    one, other = make_source("one", random_rows(60, 1)), make_source("other", random_rows(60, 2))
    score([one, other], out=tmp_path)
    assert not (tmp_path / ".unfinished").exists()
    interrupted([one, other], tmp_path, seed=3)
    assert not (tmp_path / "summary.json").exists()
