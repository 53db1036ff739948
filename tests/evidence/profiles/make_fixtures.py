"""Writes the fixtures of native-performance.md 9.2: make_fixtures.py FOLDER."""
import copy
import json
import pathlib
import sys


def phases(rows):
    names = ["load-setup", "prefill", "first-token", "steady-decode", "verification", "teardown"]
    return [{"name": n, "start_milliseconds": s, "duration_milliseconds": d}
            for n, (s, d) in zip(names, rows)]


def profile(envelope, path, rows, block, counters, attributions):
    return {"schema": "fak-native-performance-profile/v1", "envelope_id": envelope,
            "execution": {"engine": "fak-native", "forward_path": path, "fallback_count": 0},
            "phases": phases(rows), block: counters, "attributions": attributions}


def layers(name, lever, count):
    return [{"name": name, "layer": i, "lever_id": lever, "count": count} for i in (0, 1)]


METAL = ("qwen38-27b-q4km-m3pro-p32-t64", "metal/qwen35-hybrid-session-v1",
         [(0, 12), (12, 10), (22, 6), (28, 40), (68, 5), (73, 3)], "metal")
CUDA = ("qwen38-27b-q4k-a100-p1-decode", "cuda/q4k-p1-decode",
        [(0, 8), (8, 4), (12, 3), (15, 40), (55, 4), (59, 2)], "cuda")
LAUNCH = profile(*METAL, {"command_buffers": 40, "encoders": 48, "dispatch_milliseconds": 34.5,
                          "wait_milliseconds": 4, "resident_bytes": 24000000000,
                          "working_set_bytes": 24000000000},
                 layers("q4k-projection", "metal.command-buffer-amortization", 20))
BANDWIDTH = profile(*CUDA, {"launches": 24, "occupancy_percent": 58, "achieved_bandwidth_gbs": 800,
                            "peak_bandwidth_gbs": 1000, "achieved_compute_tflops": 18,
                            "peak_compute_tflops": 100, "synchronization_milliseconds": 4},
                    layers("q4k-mmvq", "cuda.q8_1-activation-quant", 12))
OVERRIDE = profile(*METAL, {"command_buffers": 12, "encoders": 16, "dispatch_milliseconds": 20,
                            "wait_milliseconds": 2, "resident_bytes": 20000000000,
                            "working_set_bytes": 24000000000},
                   layers("kv-pages", "metal.paged-kv", 20))
OVERRIDE["selection_override"] = {"issue_number": 8395,
                                  "reason": "paged KV is measured first by decision of its owner"}


def changed(base, change):
    document = copy.deepcopy(base)
    change(document)
    return document


def assign(*path_and_value):
    *path, key, value = path_and_value

    def change(document):
        for step in path:
            document = document[step]
        document[key] = value
    return change


def unavailable(document):
    del document["attributions"]
    document["attribution_unavailable"] = {
        "reason": "backend-does-not-expose-dispatch-attribution",
        "detail": "the capture lists command buffers without their dispatches"}


CUDA_BLOCK = {"launches": 1, "occupancy_percent": 1, "achieved_bandwidth_gbs": 1,
              "peak_bandwidth_gbs": 2, "achieved_compute_tflops": 1, "peak_compute_tflops": 2,
              "synchronization_milliseconds": 0}
COMPARISON = [{"left_backend": "metal", "left_counter": "wait_milliseconds",
               "right_backend": "cuda", "right_counter": "synchronization_milliseconds"}]
FIXTURES = {
    "synthetic-metal-launch-bound": LAUNCH,
    "synthetic-cuda-bandwidth-bound": BANDWIDTH,
    "synthetic-metal-bandwidth-override": OVERRIDE,
    "synthetic-metal-attribution-unavailable": changed(LAUNCH, unavailable),
    "reject-forward-path-envelope-mismatch":
        changed(LAUNCH, assign("execution", "forward_path", "metal/other-forward-path")),
    "reject-invalid-native-identity": changed(LAUNCH, assign("execution", "engine", "other-engine")),
    "reject-invalid-fallback-identity": changed(LAUNCH, assign("execution", "fallback_count", 1)),
    "reject-missing-phase": changed(LAUNCH, lambda d: d["phases"].pop(4)),
    "reject-overlapping-phases": changed(LAUNCH, assign("phases", 2, "start_milliseconds", 20)),
    "reject-non-finite-counter": changed(LAUNCH, assign("metal", "dispatch_milliseconds", 1e300)),
    "reject-negative-counter": changed(LAUNCH, assign("metal", "wait_milliseconds", -1)),
    "reject-missing-counter": changed(LAUNCH, lambda d: d["metal"].pop("wait_milliseconds")),
    "reject-mixed-backend-counters": changed(LAUNCH, assign("cuda", CUDA_BLOCK)),
    "reject-missing-attribution-state": changed(LAUNCH, lambda d: d.pop("attributions")),
    "reject-unknown-lever":
        changed(LAUNCH, lambda d: [a.update(lever_id="metal.unknown-lever")
                                   for a in d["attributions"]]),
    "reject-mixed-envelope-lever":
        changed(LAUNCH, lambda d: [a.update(lever_id="cuda.q8_1-activation-quant")
                                   for a in d["attributions"]]),
    "reject-mixed-levers":
        changed(LAUNCH, assign("attributions", 1, "lever_id", "metal.paged-kv")),
    "reject-unsupported-counter-comparison":
        changed(LAUNCH, assign("counter_comparisons", COMPARISON)),
    "reject-profile-next-contradiction-without-override":
        changed(OVERRIDE, lambda d: d.pop("selection_override")),
}

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name, document in FIXTURES.items():
        text = json.dumps(document, indent=2).replace("1e+300", "1e999")
        (folder / (name + ".json")).write_text(text + "\n")
