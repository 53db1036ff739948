#!/usr/bin/env python3
"""Writes goldens/limits.json from llama.cpp's figures: make_limits.py KL_AND_FORCED.json…

Each argument is what kl.py printed, `kl` and `forced` for both models in any order. The limits: 1.1 × llama.cpp's mean
divergence (per window too, for a test that runs only some), at most 0.5 logits at a changed argmax, at most 5 %
(smollm2) and 6 % (gemma3) of steps changed.
"""

import json
import pathlib
import sys

CHANGED_SHARE_MAX = {"smollm2": 0.05, "gemma3": 0.06}
GAP_MAX = 0.5
KL_FACTOR = 1.1


def main():
    limits = {model: {} for model in CHANGED_SHARE_MAX}
    for path in sys.argv[1:]:
        figures = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        model = figures["model"]
        if "kl_mean" in figures:
            limits[model]["kl_mean"] = round(figures["kl_mean"], 7)
            limits[model]["kl_window_means"] = [round(x, 7) for x in figures["kl_window_means"]]
            limits[model]["kl_mean_max"] = round(KL_FACTOR * figures["kl_mean"], 7)
        else:
            limits[model]["changed_share"] = round(figures["changed_share"], 5)
            limits[model]["changed_share_max"] = CHANGED_SHARE_MAX[model]
            limits[model]["gap_max"] = figures["gap_max"]
            limits[model]["gap_max_allowed"] = GAP_MAX
    if any(len(found) != 7 for found in limits.values()):
        raise SystemExit("kl and forced of both models are needed")
    target = pathlib.Path(__file__).parent / "goldens" / "limits.json"
    target.write_text(json.dumps(limits, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
