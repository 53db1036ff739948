#!/usr/bin/env python3
"""Writes the seeds of corpus/fuzz_packed_index: make_packed_corpus.py FOLDER (src/models/packed_index.h has the layout)."""
import hashlib
import struct
import sys

ALIGNMENT, TAIL = 4096, 64


def aligned(size):
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


def packed(sizes):
    begin = aligned(104 + 16 * len(sizes) + 32)
    places, at = b"", begin
    for size in sizes:
        places += struct.pack("<QQ", at, size)
        at += aligned(size + TAIL)
    contents = bytes(at - begin)
    fixed = b"CAIRNPAK" + struct.pack("<IIQq", 1, 1, 96, 5) + bytes(range(32)) + hashlib.sha256(contents).digest()
    index = fixed + struct.pack("<Q", len(sizes)) + places
    index += hashlib.sha256(index).digest()
    return index + bytes(begin - len(index)) + contents


for name, sizes in {"nothing": [], "two_matrices": [100, 5000]}.items():
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(packed(sizes))
