"""A second implementation of chapters 3, 6, 9 and 10 of native-performance.md, written from the
contract alone: digests, comparisons, classifications and gate verdicts of generated documents must
agree with the driver's.

documents_twin.py DRIVER [COUNT]
"""
import copy
import hashlib
import json
import math
import random
import struct
import subprocess
import sys

METAL = "qwen38-27b-q4km-m3pro-p32-t64"
CUDA = "qwen38-27b-q4k-a100-p1-decode"
METAL_SHA = "7e78da5d7e3ae28d178121f58646953305f3e5bd3cb46f4a75584e8b6c6fe169"
PATHS = {METAL: "metal/qwen35-hybrid-session-v1", CUDA: "cuda/q4k-p1-decode"}
CONTROLS = ["artifact_sha256", "machine", "prompt_tokens", "decode_tokens", "batch",
            "context_tokens", "temperature", "sampling", "cache_state", "warmups", "repetitions",
            "execution_identity"]
# id: (enabled, witnessed, dependencies), in graph order (11.5)
METAL_LEVERS = {
    "metal.resident-q4k-weights": (True, True, []),
    "metal.command-buffer-amortization": (False, False, ["metal.resident-q4k-weights"]),
    "metal.fused-hybrid-graph-coverage": (False, False, ["metal.command-buffer-amortization"]),
    "metal.paged-kv": (False, False, ["metal.resident-q4k-weights"]),
    "metal.prefix-reuse": (False, False, ["metal.paged-kv"]),
    "metal.chunked-prefill": (False, False, ["metal.resident-q4k-weights"]),
    "metal.continuous-batching": (False, False, ["metal.paged-kv"]),
    "metal.matched-parity-receipt": (False, False, ["metal.fused-hybrid-graph-coverage"]),
}
CUDA_LEVERS = {
    "cuda.scalar-f32-activation-baseline": (True, False, []),
    "cuda.q8_1-activation-quant": (False, False, []),
    "cuda.dp4a-q4k-mmvq": (False, False, ["cuda.q8_1-activation-quant"]),
    "cuda.default-decode-routing": (False, False, ["cuda.dp4a-q4k-mmvq"]),
}


# --- chapter 3: canonical text

def number(value):
    """J-20: Number::toString of ECMAScript, from Python's shortest digits."""
    if isinstance(value, int):
        return str(value)
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, exponent = ("%r" % abs(value)), 0
    if "e" in mantissa:
        mantissa, power = mantissa.split("e")
        exponent = int(power)
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + exponent - (len(whole + fraction) - len((whole + fraction).lstrip("0")))
    digits = digits.rstrip("0")
    if -5 <= point <= 0:
        return sign + "0." + "0" * -point + digits
    if 0 < point <= 21:
        if point >= len(digits):
            return sign + digits + "0" * (point - len(digits))
        return sign + digits[:point] + "." + digits[point:]
    tail = "." + digits[1:] if len(digits) > 1 else ""
    return "%s%s%se%+d" % (sign, digits[0], tail, point - 1)


SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string(text):
    """J-21"""
    out = []
    for c in text:
        if c in SHORT:
            out.append(SHORT[c])
        elif ord(c) < 0x20 or c in "<>&" or c in "\u2028\u2029":
            out.append("\\u%04x" % ord(c))
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def canonical(value):
    """J-22"""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return "{" + ",".join(string(k) + ":" + canonical(v) for k, v in value.items()) + "}"


def twin_digest(document):
    floats = {"numbers": [float(n) for n in document["numbers"]], "text": document["text"]}
    return hashlib.sha256(canonical(floats).encode()).hexdigest()


# --- chapter 6 and 10.4: arithmetic

def mean(receipt):
    total = 0.0
    for one in receipt["repetitions"]:
        total += one["tokens_per_second"]
    return total / len(receipt["repetitions"])


def noise(receipt, average):
    total = 0.0
    for one in receipt["repetitions"]:
        total += (one["tokens_per_second"] - average) * (one["tokens_per_second"] - average)
    return math.sqrt(total / len(receipt["repetitions"])) / average * 100


def drift(a, b):
    return any(a[k] != b[k] for k in ("artifact_sha256", "machine", "controls")) or \
        sorted(a["unchanged_controls"]) != sorted(b["unchanged_controls"])


def twin_compare(pair):
    a, b = pair["baseline"], pair["candidate"]
    if (a["role"], b["role"]) != ("baseline", "candidate"):
        return "ERROR C-03"
    if (a["envelope_id"], a["changed_lever_id"]) != (b["envelope_id"], b["changed_lever_id"]):
        return "ERROR C-04"
    if drift(a, b) or a["execution"] != b["execution"]:
        return "ERROR C-05"
    before, after = mean(a), mean(b)
    delta = after - before
    return canonical({"schema": "fak-native-performance-comparison/v1",
                      "envelope_id": a["envelope_id"], "changed_lever_id": a["changed_lever_id"],
                      "baseline_revision": a["revision"], "candidate_revision": b["revision"],
                      "baseline_mean_tokens_per_second": before,
                      "candidate_mean_tokens_per_second": after,
                      "delta_tokens_per_second": delta, "delta_percent": delta / before * 100})


# --- chapter 10

def checks_of(request, after):
    """name: passes, in the order of 10.5"""
    policy, candidate = request["policy"], request["candidate"]
    quality = candidate["quality"]
    higher = policy["quality_higher_is_better"]
    enough = quality["score"] >= policy["minimum_quality_score"] if higher else \
        quality["score"] <= policy["minimum_quality_score"]
    return {
        "engine": candidate["execution"]["engine"] == policy["required_engine"],
        "forward_path": candidate["execution"]["forward_path"] == policy["required_forward_path"],
        "fallback": candidate["execution"]["fallback_count"] == 0,
        "memory": candidate["memory"]["peak_bytes"] <= policy["maximum_peak_bytes"],
        "quality": quality["name"] == policy["quality_metric"] and
        quality["higher_is_better"] == higher and enough,
        "throughput_floor": after >= policy["minimum_throughput_tokens_per_second"],
    }


def twin_gate(request):
    """What the contract fixes of a verdict; the details of checks are free text."""
    policy, a, b = request["policy"], request["last_accepted"], request["candidate"]
    if not policy["regression_drop_percent"] > policy["investigate_drop_percent"]:
        return "ERROR B-03"
    if a["revision"] != policy["accepted_revision"]:
        return "ERROR B-10"
    if drift(a, b):
        return "ERROR B-14"
    if len(b["repetitions"]) < policy["minimum_repetitions"]:
        return "ERROR B-15"
    before, after = mean(a), mean(b)
    drop = (before - after) / before * 100
    noises = noise(a, before), noise(b, after)
    checks = checks_of(request, after)
    ambient = policy.get("require_system_baseline", False)  # no generated receipt carries any
    if any(not passes for name, passes in checks.items() if name != "throughput_floor"):
        word = "regression"
    elif ambient:
        word = "investigate"
    elif not checks["throughput_floor"] or drop >= policy["regression_drop_percent"]:
        word = "regression"
    elif max(noises) > policy["maximum_noise_percent"] or drop >= policy["investigate_drop_percent"]:
        word = "investigate"
    else:
        word = "pass"
    status = [(name, "pass" if passes else "fail") for name, passes in checks.items()]
    if ambient:
        status.append(("system_baseline", "investigate"))
    return {"envelope_id": policy["envelope_id"], "classification": word,
            "accepted_revision": a["revision"], "candidate_revision": b["revision"],
            "accepted_mean_tokens_per_second": before, "candidate_mean_tokens_per_second": after,
            "throughput_delta_percent": -drop, "accepted_noise_percent": noises[0],
            "candidate_noise_percent": noises[1], "checks": status,
            "suspects": suspects(a, b) if word != "pass" and not (ambient and word == "investigate")
            else None}


def suspects(a, b):
    before = {m["module"]: m["revision"] for m in a["module_versions"]}
    return sorted((m["module"], before[m["module"]], m["revision"]) for m in b["module_versions"]
                  if m["module"] in before and before[m["module"]] != m["revision"])


def told_gate(line):
    """The same of the driver's answer; checks what goes together."""
    if line.startswith("ERROR"):
        return line
    verdict = json.loads(line)
    named = [tuple(s[k] for k in ("module", "accepted_revision", "candidate_revision"))
             for s in verdict.get("suspect_modules", [])]
    bisect = verdict.get("bisect")
    if bisect:
        paths = ",".join(n[0] for n in named) or "internal/nativeperf"
        assert bisect["good_revision"] == verdict["accepted_revision"], line
        assert bisect["bad_revision"] == verdict["candidate_revision"], line
        assert bisect["guarded_commands"][0].endswith("--paths " + paths), line
        assert len(bisect["suspect_modules"]) == len(named), line
    kept = {k: v for k, v in verdict.items()
            if k not in ("schema", "suspect_modules", "bisect", "checks")}
    kept["checks"] = [(c["name"], c["status"]) for c in verdict["checks"]]
    kept["suspects"] = named if bisect else None
    return kept


# --- chapter 9

def metal_row(c, d):
    if c["wait_milliseconds"] / d >= 0.30:
        return "K-01", "synchronization-bound", "medium", "metal.command-buffer-amortization"
    if c["command_buffers"] >= 32:
        return "K-02", "launch-bound", "medium", "metal.command-buffer-amortization"
    if c["working_set_bytes"] > c["resident_bytes"]:
        return "K-03", "bandwidth-bound", "medium", "metal.paged-kv"
    if c["dispatch_milliseconds"] / d >= 0.70:
        return "K-04", "compute-bound", "low", "metal.fused-hybrid-graph-coverage"
    return "K-05", "cpu-orchestration-bound", "low", "metal.command-buffer-amortization"


def cuda_row(c, d):
    b = c["achieved_bandwidth_gbs"] / c["peak_bandwidth_gbs"]
    f = c["achieved_compute_tflops"] / c["peak_compute_tflops"]
    if c["synchronization_milliseconds"] / d >= 0.30:
        return "K-11", "synchronization-bound", "medium", "cuda.default-decode-routing"
    if c["launches"] >= 64:
        return "K-12", "launch-bound", "medium", "cuda.default-decode-routing"
    if b >= 0.70 and f < 0.60:
        return "K-13", "bandwidth-bound", "high", "cuda.q8_1-activation-quant"
    if f >= 0.70:
        return "K-14", "compute-bound", "high", "cuda.dp4a-q4k-mmvq"
    return "K-15", "cpu-orchestration-bound", "low", "cuda.default-decode-routing"


def row_of(profile):
    duration = profile["phases"][3]["duration_milliseconds"]
    if "metal" in profile:
        return metal_row(profile["metal"], duration)
    return cuda_row(profile["cuda"], duration)


def profile_fault(profile):
    """The faults that profile_of() plants."""
    if profile["execution"]["fallback_count"]:
        return "ERROR P-06"
    if profile["phases"][2]["start_milliseconds"] < profile["phases"][1]["start_milliseconds"] + \
            profile["phases"][1]["duration_milliseconds"]:
        return "ERROR P-13"
    return None


def twin_classify(profile):
    fault = profile_fault(profile)
    if fault:
        return fault
    rule, word, confidence, lever = row_of(profile)
    return rule, profile["envelope_id"], word, confidence, lever


def told_classification(found):
    assert found["schema"] == "fak-native-performance-bottleneck/v1"
    return (found["evidence"][0][1:5], found["envelope_id"], found["class"], found["confidence"],
            found["recommended_lever_id"])


def told_classify(line):
    return line if line.startswith("ERROR") else told_classification(json.loads(line))


def ready(levers, name):
    enabled, witnessed, needs = levers[name]
    return not enabled and not witnessed and all(levers[n][0] for n in needs)


def twin_choose(profile):
    if profile_fault(profile):
        return "ERROR N-01"
    levers = METAL_LEVERS if profile["envelope_id"] == METAL else CUDA_LEVERS
    found = twin_classify(profile)
    if not ready(levers, found[4]):
        return "ERROR N-02"
    first = next(name for name in levers if ready(levers, name))
    if first != found[4] and "selection_override" not in profile:
        return "ERROR N-04"
    return found, found[4], profile.get("selection_override")


def told_choose(line):
    if line.startswith("ERROR"):
        return line
    choice = json.loads(line)
    return (told_classification(choice["classification"]), choice["lever"]["id"],
            choice.get("selection_override"))


# --- generated documents

def receipt_of(rng, role, rates, envelope=METAL):
    metal = envelope == METAL
    prompt = 32 if metal else 1
    lever = "metal.paged-kv" if metal else "cuda.q8_1-activation-quant"
    return {
        "schema": "fak-native-performance-receipt/v2", "role": role, "envelope_id": envelope,
        "changed_lever_id": lever, "revision": "base" if role == "baseline" else "next",
        "artifact_sha256": METAL_SHA if metal else "ab" * 32,
        "machine": {"scrubbed_id": "box-80gib-1",
                    "platform": "darwin/arm64" if metal else "linux/amd64+nvidia-a100",
                    "backend": "metal" if metal else "cuda"},
        "controls": {"prompt_tokens": prompt, "decode_tokens": 64, "batch": 1,
                     "context_tokens": prompt + 64, "temperature": 0, "sampling": "greedy",
                     "cache_state": "cold", "warmups": 1, "repetitions": 3},
        "unchanged_controls": rng.sample(CONTROLS, len(CONTROLS)),
        "changed_axes": [] if role == "baseline" else ["lever:" + lever],
        "repetitions": [{"end_to_end_milliseconds": 64000 / r, "tokens_per_second": r}
                        for r in rates],
        "memory": {"peak_bytes": 1000, "resident_bytes": 900},
        "execution": {"engine": "fak-native", "forward_path": PATHS[envelope],
                      "fallback_count": 0},
        "quality": {"name": "exact_match", "score": 1, "higher_is_better": True},
        "module_versions": [{"module": m, "revision": str(rng.randrange(2))}
                            for m in rng.sample("abcdef", rng.randrange(1, 5))],
        "commands": ["fak bench decode"],
        "profiler_artifacts": [{"path": "profiles/a.json", "sha256": "cd" * 32}]}


def rates_of(rng, centre, spread):
    return [centre * (1 + rng.uniform(-spread, spread)) for _ in range(3)]


def pair_of(rng):
    envelope = rng.choice([METAL, CUDA])
    pair = {"baseline": receipt_of(rng, "baseline", rates_of(rng, 10 ** rng.uniform(-3, 5), 0.1),
                                   envelope),
            "candidate": receipt_of(rng, "candidate", rates_of(rng, 10 ** rng.uniform(-3, 5), 0.1),
                                    envelope)}
    fault = rng.randrange(8)
    if fault == 0:
        pair["baseline"], pair["candidate"] = pair["candidate"], pair["baseline"]
    elif fault == 1:
        pair["candidate"]["controls"]["batch"] = 2
    elif fault == 2:
        other = CUDA if envelope == METAL else METAL
        pair["candidate"] = receipt_of(rng, "candidate", [1, 2, 3], other)
    return pair


def request_of(rng):
    before = receipt_of(rng, "baseline", rates_of(rng, 100, 0.02))
    after = receipt_of(rng, "candidate", rates_of(rng, 100 * rng.uniform(0.9, 1.05), 0.02))
    policy = {"schema": "fak-native-performance-gate-policy/v2", "envelope_id": METAL,
              "changed_lever_id": "metal.paged-kv", "accepted_revision": "base",
              "minimum_repetitions": 3, "maximum_noise_percent": rng.choice([1, 2, 5.5]),
              "investigate_drop_percent": 2, "regression_drop_percent": rng.choice([4, 5, 7.25]),
              "minimum_throughput_tokens_per_second": rng.choice([90, 95.5]),
              "maximum_peak_bytes": 1200, "quality_metric": "exact_match",
              "minimum_quality_score": 1, "quality_higher_is_better": True,
              "required_engine": "fak-native", "required_forward_path": PATHS[METAL]}
    request = {"schema": "fak-native-performance-gate-request/v2", "policy": policy,
               "last_accepted": before, "candidate": after}
    plant(rng, request)
    return request


def plant(rng, request):
    policy, after = request["policy"], request["candidate"]
    fault = rng.randrange(24)
    if fault == 0:
        after["memory"]["peak_bytes"] = 1201
    elif fault == 1:
        after["quality"]["score"] = 0.5
    elif fault == 2:
        after["quality"]["name"] = "other"
    elif fault == 3:
        after["execution"]["fallback_count"] = 2
    elif fault == 4:
        after["execution"]["engine"] = "other"
    elif fault == 5:
        policy["regression_drop_percent"] = 2
    elif fault == 6:
        policy["accepted_revision"] = "else"
    elif fault == 7:
        after["controls"]["warmups"] = 2
    elif fault == 8:
        policy["minimum_repetitions"] = 4
    elif fault in (9, 10, 11):
        policy["require_system_baseline"] = policy["allow_sampled_system_baseline"] = True
        if fault == 10:
            after["memory"]["peak_bytes"] = 1201
    elif fault == 12:
        policy.update(quality_higher_is_better=False)
        after["quality"].update(higher_is_better=False, score=rng.choice([0.5, 1, 1.5]))


def profile_of(rng):
    envelope = rng.choice([METAL, CUDA])
    start, phases = rng.uniform(0, 3), []
    for name in ("load-setup", "prefill", "first-token", "steady-decode", "verification",
                 "teardown"):
        duration = 40 if name == "steady-decode" else rng.uniform(0.5, 20)
        phases.append({"name": name, "start_milliseconds": start,
                       "duration_milliseconds": duration})
        start += duration + rng.choice([0, 0.25])
    profile = {"schema": "fak-native-performance-profile/v1", "envelope_id": envelope,
               "execution": {"engine": "fak-native", "forward_path": PATHS[envelope],
                             "fallback_count": 0}, "phases": phases}
    if envelope == METAL:
        profile["metal"] = {"command_buffers": rng.choice([1, 31, 32, 50]), "encoders": 3,
                            "dispatch_milliseconds": rng.choice([1, 27.9, 28, 39]),
                            "wait_milliseconds": rng.choice([0, 11.99, 12, 1, 2]),
                            "resident_bytes": 2 ** 40, "working_set_bytes":
                            2 ** 40 + rng.choice([-1, 0, 1])}
    else:
        profile["cuda"] = {"launches": rng.choice([1, 63, 64]), "occupancy_percent": 50,
                           "achieved_bandwidth_gbs": rng.choice([0, 699.9, 700, 900]),
                           "peak_bandwidth_gbs": 1000,
                           "achieved_compute_tflops": rng.choice([0, 59.9, 60, 69.9, 70, 100]),
                           "peak_compute_tflops": 100,
                           "synchronization_milliseconds": rng.choice([0, 1, 11.99, 12])}
    profile["attribution_unavailable"] = {
        "reason": "backend-does-not-expose-dispatch-attribution", "detail": "none listed"}
    if rng.random() < 0.3:
        profile["selection_override"] = {"issue_number": 8395, "reason": "decided"}
    fault = rng.randrange(12)
    if fault == 0:
        profile["execution"]["fallback_count"] = 1
    elif fault == 1:
        phases[2]["start_milliseconds"] = phases[1]["start_milliseconds"]
    return profile


def values_of(rng):
    numbers = []
    while len(numbers) < 20:
        value = struct.unpack("<d", rng.randbytes(8))[0] if rng.random() < 0.5 else \
            rng.choice([-1, 1]) * 10 ** rng.uniform(-9, 24)
        if math.isfinite(value):
            numbers.append(value)
    numbers += [0, -0.0, 1, 1e21, 1e-6, 9.99e-7, 123456789012345680000.0, rng.randrange(10 ** 18)]
    alphabet = 'a"\\\n\r\t\b\f\x01<>&\u2028\u2029é\U0001f600/\x7f'
    return {"numbers": numbers, "text": "".join(rng.choice(alphabet) for _ in range(30))}


KINDS = {"digest": (values_of, twin_digest, str),
         "compare": (pair_of, twin_compare, str),
         "gate": (request_of, twin_gate, told_gate),
         "classify": (profile_of, twin_classify, told_classify),
         "choose": (profile_of, twin_choose, told_choose)}


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(20260825)
    asked = []
    for i in range(count):
        kind = list(KINDS)[i % len(KINDS)]
        asked.append((kind, KINDS[kind][0](rng)))
    text = "".join(kind + " " + json.dumps(document) + "\n" for kind, document in asked)
    answers = subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True,
                             check=True).stdout.splitlines()
    assert len(answers) == count, (len(answers), count)
    seen, wrong = {}, 0
    for (kind, document), line in zip(asked, answers):
        expected = KINDS[kind][1](copy.deepcopy(document))
        found = KINDS[kind][2](line)
        word = expected if isinstance(expected, str) and expected.startswith("ERROR") else kind
        seen[word] = seen.get(word, 0) + 1
        if expected != found:
            wrong += 1
            if wrong <= 5:
                print("%s\n  twin   %r\n  driver %r\n  %s" % (kind, expected, found,
                                                            json.dumps(document)), file=sys.stderr)
    print("%d documents, %d differ; %s" % (count, wrong, dict(sorted(seen.items()))))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
