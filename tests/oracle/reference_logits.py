#!/usr/bin/env python3
"""Dumps the reference's logits for given ids: `llama_logits.cpp` says what goes in and comes out.

  reference_logits.py gemma3 < sequences > logits
"""

import sys

import torch

import weights


def main():
    torch.set_grad_enabled(False)
    network = weights.load(sys.argv[1])
    for line in sys.stdin:
        skip, *ids = map(int, line.split())
        logits = network(torch.tensor([ids]), use_cache=False, logits_to_keep=len(ids) - skip).logits[0]
        sys.stdout.buffer.write(logits.contiguous().numpy().tobytes())


if __name__ == "__main__":
    main()
