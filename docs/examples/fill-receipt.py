"""Fills a receipt template with what one arm measured.

fill-receipt.py TEMPLATE ROLE REVISION ARM_RECORD RATE... > receipt.json

The arm record is named by its file name: it has to stand beside the receipt. Each RATE is the tokens per
second of one repetition.
"""
import hashlib
import json
import os
import sys


def main():
    template, role, revision, arm = sys.argv[1:5]
    rates = [float(text) for text in sys.argv[5:]]
    with open(template, encoding="utf-8") as file:
        receipt = json.load(file)
    decode = receipt["controls"]["decode_tokens"]
    receipt.update(role=role, revision=revision)
    receipt["machine"]["scrubbed_id"] = "my-machine-1"
    receipt["changed_axes"] = [] if role == "baseline" else ["lever:" + receipt["changed_lever_id"]]
    receipt["repetitions"] = [
        {"end_to_end_milliseconds": 40 + 1000 * decode / rate, "tokens_per_second": rate,
         "ttft_milliseconds": 40, "prefill_milliseconds": 38,
         "decode_milliseconds": 1000 * decode / rate} for rate in rates]
    receipt["memory"] = {"peak_bytes": 260000000, "resident_bytes": 240000000}
    receipt["quality"] = {"name": "exact_match", "score": 1, "higher_is_better": True}
    receipt["module_versions"] = [{"module": "kernels", "revision": revision}]
    receipt["commands"] = ["cairn run SmolLM2-135M-Instruct.Q4_1.gguf --raw -n 64"]
    with open(arm, "rb") as file:
        receipt["profiler_artifacts"] = [{"path": os.path.basename(arm),
                                          "sha256": hashlib.sha256(file.read()).hexdigest()}]
    json.dump(receipt, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
