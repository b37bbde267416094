"""A run that is killed in the middle of encoding goes on where it stopped and ends with the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

ENCODE = """
import json, sys
from pathlib import Path
from negaudit.encoding.encoder import load_encoder
texts = json.loads(Path(sys.argv[3]).read_text())
encoder = load_encoder(sys.argv[1], device="cpu", cache=Path(sys.argv[2]))
encoder.embed(texts, "passage", progress=lambda done, total: print(done, flush=True))
print("finished", flush=True)
"""


def start(model: Path, cache: Path, texts: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", ENCODE, str(model), str(cache), str(texts)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def files(cache: Path) -> dict[str, bytes]:
    return {str(path.relative_to(cache)): path.read_bytes() for path in sorted(cache.rglob("*")) if path.is_file()}


def test_killed_and_resumed_equals_uninterrupted_byte_for_byte(minilm_l3_path: Path, passages: list[str], tmp_path: Path) -> None:
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps(passages))
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    printed, _ = start(minilm_l3_path, whole, texts).communicate()
    batches = [int(line) for line in printed.split()[:-1]]
    assert printed.split()[-1] == "finished"
    assert batches[-1] == len(set(passages))
    process = start(minilm_l3_path, killed, texts)
    assert process.stdout is not None
    for _ in range(len(batches) // 2):
        assert process.stdout.readline().strip().isdigit()
    process.send_signal(signal.SIGKILL)
    assert "finished" not in process.communicate()[0]
    resumed, _ = start(minilm_l3_path, killed, texts).communicate()
    assert resumed.split()[-1] == "finished"
    assert 0 < int(resumed.split()[-2]) < len(set(passages))
    assert files(killed) == files(whole)
