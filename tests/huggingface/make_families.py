#!/usr/bin/env python3
"""Saves the checkpoints of tests/oracle/families.py as transformers does, for the folder reader.

  VENV/bin/python tests/huggingface/make_families.py [NAME ...]   (VENV as for make_checkpoints.py)

Writes families/NAME with config.json, float16 weights and a tokenizer of one token per id, all but
llama3, whose divisors the converter computes in float32. What they must compute is what tests/oracle/families/NAME.gguf computes, bit for bit.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "oracle"))

import torch  # noqa: E402
import transformers  # noqa: E402
from families import CHECKPOINTS, VOCABULARY, fill  # noqa: E402

TOKENIZER = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
             "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
                               "use_regex": True},
             "post_processor": None, "decoder": {"type": "ByteLevel"},
             "model": {"type": "BPE", "vocab": {chr(0x100 + i) if i >= 94 else chr(33 + i): i
                                                for i in range(VOCABULARY)}, "merges": []}}


def save(name):
    config_name, sizes = CHECKPOINTS[name]
    config = getattr(transformers, config_name)(**sizes)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    fill(model, seed=len(name))
    folder = HERE / "families" / name
    model.half().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER) + "\n")


if __name__ == "__main__":
    for checkpoint in sys.argv[1:] or [name for name in CHECKPOINTS if name != "llama3"]:
        save(checkpoint)
