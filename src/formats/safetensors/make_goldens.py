"""Writes testdata/package.safetensors with the Python packages safetensors, numpy and ml_dtypes."""

import pathlib

import ml_dtypes
import numpy
from safetensors.numpy import save_file

VALUES = numpy.array([[-2, -1, 0], [1, 2, 3]])
TYPES = [
    numpy.float64,
    numpy.float32,
    numpy.float16,
    ml_dtypes.bfloat16,
    numpy.int64,
    numpy.int32,
    numpy.int16,
    numpy.int8,
]

if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent / "testdata"
    tensors = {numpy.dtype(t).name: VALUES.astype(t) for t in TYPES}
    save_file(tensors, folder / "package.safetensors", metadata={"made by": "safetensors"})
