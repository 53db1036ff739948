#!/usr/bin/env python3
"""Says what llama.cpp's converter makes of the checkpoints of this folder.

  VENV/bin/python tests/huggingface/make_twins.py   (VENV as for make_checkpoints.py, with gguf)

Runs conversion/*.py of the sources that tests/data/fetch brings and writes twin.json beside each
checkpoint: the keys of the architecture, and of every tensor its shape (row length first) and the
SHA-256 of its values as float32, or the values themselves where the converter computes them.
Tokenizers that the converter does not know are passed over.
"""

import hashlib
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "build" / "test-data" / "llama.cpp"
sys.path[:0] = [str(SOURCES), str(SOURCES / "gguf-py")]

import gguf  # noqa: E402
import torch  # noqa: E402
from conversion import ModelBase, get_model_class  # noqa: E402
from gguf.quants import dequantize  # noqa: E402


def convert(folder, out):
    config = ModelBase.load_hparams(folder, False)
    model_class = get_model_class(config["architectures"][0], mmproj=False)
    with torch.inference_mode():
        model = model_class(folder, gguf.LlamaFileType.ALL_F32, out)
        model.set_vocab = lambda: None
        model.write()


def describe(path):
    reader = gguf.GGUFReader(path)
    architecture = reader.fields["general.architecture"].contents()
    keys = {key: field.contents() for key, field in reader.fields.items()
            if key.startswith(architecture + ".")}
    tensors = {}
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type).astype("<f4")
        tensors[tensor.name] = {"shape": [int(n) for n in tensor.shape],
                                "sha256": hashlib.sha256(values.tobytes()).hexdigest()}
        if tensor.name.startswith("rope_"):
            tensors[tensor.name]["values"] = [float(value) for value in values.flatten()]
    return {"architecture": architecture, "keys": keys, "tensors": tensors}


if __name__ == "__main__":
    for config in sorted(HERE.glob("*/config.json")):
        with tempfile.TemporaryDirectory() as scratch:
            out = pathlib.Path(scratch) / "twin.gguf"
            convert(config.parent, out)
            (config.parent / "twin.json").write_text(json.dumps(describe(out), indent=0) + "\n")
