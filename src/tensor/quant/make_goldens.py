#!/usr/bin/env python3
"""Writes goldens.txt: blocks and what the Python package gguf makes of them.

    python3 -m venv v && v/bin/pip install gguf==0.19.0 numpy && v/bin/python make_goldens.py

One line per case: `decode TYPE blocks-in-hex values-in-hex` or `encode TYPE values blocks`, values
as little-endian f32. Q1_0 and Q2_0, which gguf-py does not decode, come from make_goldens.c.
"""
import pathlib
import warnings

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T
from gguf import quants

warnings.filterwarnings("ignore")
rng = np.random.default_rng(20240229)
# The f16 scales of each type: their places in a block.
SCALES = {T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82],
          T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ2_XXS: [0],
          T.IQ2_XS: [0], T.IQ2_S: [0], T.IQ3_XXS: [0], T.IQ3_S: [0], T.IQ1_S: [0], T.IQ1_M: [],
          T.IQ4_NL: [0], T.IQ4_XS: [0], T.TQ1_0: [52], T.TQ2_0: [64], T.MXFP4: [], T.NVFP4: []}
# Smallest subnormal, largest subnormal, smallest normal, largest, negative zero, an ordinary one.
EXTREME = [0x0001, 0x03FF, 0x0400, 0x7BFF, 0x8000, 0xFBFF, 0xB5A1]
PLAIN = {T.F16: np.uint16, T.BF16: np.uint16, T.F32: np.uint32}
INTEGERS = {"I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64, "F64": np.float64}


def finite_f16(count):
    return rng.standard_normal(count).astype(np.float16).view(np.uint16)


def set_scales(kind, block, bits):
    for place, value in zip(SCALES[kind], bits):
        block[place:place + 2] = np.array([value], np.uint16).view(np.uint8)
    if kind == T.IQ1_M:  # its f16 is spread over the top nibbles of the last four words
        words = block[48:56].view(np.uint16)
        words[:] = (words & 0x0FFF) | np.array([(int(bits[0]) >> s & 15) << 12 for s in (0, 4, 8, 12)],
                                               np.uint16)


def blocks_of(kind):
    """Three blocks with ordinary scales, then blocks of all-zero and all-one bits and extremes."""
    size = gguf.GGML_QUANT_SIZES[kind][1]
    blocks = rng.integers(0, 256, (3 + len(EXTREME) + 2, size), dtype=np.uint8)
    blocks[-2], blocks[-1] = 0, 255
    scales = [finite_f16(2) for _ in range(3)] + [[e, e ^ 0x8000] for e in EXTREME] + [[0x3C00, 0x4000]] * 2
    for block, bits in zip(blocks, scales):
        set_scales(kind, block, bits)
    if kind == T.MXFP4:
        blocks[:4, 0] = [0, 1, 2, 255]
    return blocks


def hexed(array):
    return np.ascontiguousarray(array).tobytes().hex()


def decodes():
    for kind in SCALES:
        blocks = blocks_of(kind)
        values = quants.dequantize(blocks.reshape(1, -1), kind).astype(np.float32)
        yield f"decode {kind.name} {hexed(blocks)} {hexed(values)}"
    for kind, word in PLAIN.items():
        bits = rng.integers(0, np.iinfo(word).max, 64, dtype=word, endpoint=True)
        values = quants.dequantize(bits.view(np.uint8) if kind == T.BF16 else bits, kind)
        yield f"decode {kind.name} {hexed(bits)} {hexed(values.astype(np.float32))}"
    for name, kind in INTEGERS.items():
        if name == "F64":
            values = np.concatenate([rng.standard_normal(48) * 10.0 ** rng.integers(-50, 50, 48),
                                     [0.0, -0.0, np.inf, -np.inf, 3.4028235677973366e38,
                                      3.4028235677973362e38, 1e300, 1e-46]])
        else:
            limits = np.iinfo(kind)
            values = np.concatenate([rng.integers(limits.min, limits.max, 48, dtype=kind, endpoint=True),
                                     np.array([limits.min, limits.max, 0, -1], kind)])
        yield f"decode {name} {hexed(values)} {hexed(values.astype(np.float32))}"


def inputs():
    spread = rng.standard_normal((6, 32)) * np.array([[1], [1e-3], [100], [1e-6], [3e4], [1]])
    even = np.arange(32).reshape(1, 32) - 15.5
    halves = (np.arange(32).reshape(1, 32) - 16) / 2
    zeros = np.zeros((1, 32))
    same = np.full((1, 32), -2.5)
    alone = np.zeros((1, 32))
    alone[0, 7] = 127.0
    return np.concatenate([spread, even, halves, zeros, same, alone]).astype(np.float32)


def encodes():
    for kind in (T.Q4_0, T.Q4_1, T.Q8_0, T.BF16, T.F16):
        values = inputs()
        yield f"encode {kind.name} {hexed(values)} {hexed(quants.quantize(values, kind))}"


lines = [*decodes(), *encodes()]
pathlib.Path(__file__).with_name("goldens.txt").write_text("\n".join(lines) + "\n")
