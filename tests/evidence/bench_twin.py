"""A second implementation of chapter 18's documents and arithmetic and of the arm record's check
(native-performance.md 5.9, 18.1 to 18.7), written from the contract alone: bench records, where
their rows stand, streams of servers, state records and arm records must agree with the driver's.

bench_twin.py DRIVER [COUNT]
"""
import copy
import hashlib
import json
import random
import re
import subprocess
import sys

import documents_twin
from documents_twin import CUDA, METAL, canonical, number

CLEAN, BUSY, INVALID = ("sha256:" + c * 64 for c in "abc")


def hash_of(digit):
    return "0" * 63 + digit


# --- figures (18.5, 18.7)

def quantile(values, q):
    values = sorted(values)
    position = q * (len(values) - 1)
    below = int(position)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (position - below)


def figure(record, arm, metric, statistic, legs):
    by_repetition = {}
    for sample in record["samples"]:
        wanted = legs == "with warm-up" or sample["cold"] == (legs == "cold only")
        if sample["arm"] == arm and sample["metric"] == metric and wanted:
            by_repetition.setdefault(sample["repetition"], []).extend(sample["values"])
    share = {"median": 0.5, "p95": 0.95, "p99": 0.99}[statistic]
    values = [quantile(v, share) for _, v in sorted(by_repetition.items()) if v]
    if not values:
        return None
    return {"value": quantile(values, 0.5), "low": min(values), "high": max(values),
            "all": values}


def spread(found):
    return (found["high"] - found["low"]) / abs(found["value"]) * 100 if found["value"] else 0


def band(control, metric, statistic):
    one, other = (arm["name"] for arm in control["arms"])
    widest = 0
    for legs in ("warm only", "cold only"):
        a, b = (figure(control, arm, metric, statistic, legs) for arm in (one, other))
        if a is None or b is None:
            return None
        for x, y in zip(a["all"], b["all"]):
            widest = max(widest, abs(x / y - 1) * 100)
    return widest


def arm_of(record, *roles):
    for role in roles:
        for arm in record["arms"]:
            if arm["role"] == role:
                return arm
    return None


def token_class(record):
    ours, reference = arm_of(record, "ours", "on"), arm_of(record, "reference", "off")
    if any(not re.fullmatch("[0-9a-f]{64}", w["outputs_sha256"]) or
           not w["outputs_sha256"].strip("0") for w in record["work"]):
        return "not run"
    mine = {w["repetition"]: w["outputs_sha256"] for w in record["work"]
            if w["arm"] == ours["name"]}
    theirs = {w["repetition"]: w["outputs_sha256"] for w in record["work"]
              if w["arm"] == reference["name"]}
    if theirs and all(mine.get(r) == h for r, h in theirs.items()):
        return "token-exact"
    if len(theirs) >= 5 and set(mine.values()) <= set(theirs.values()):
        return "near-tie"
    return "not run"


STRENGTH = {"BINDING": 3, "INDICATIVE": 2, "PROVISIONAL": 2, "NOT SEPARATED": 1}


def limits_of(record, metric, ours, reference, a, b, higher, verdicts):
    limits = set()
    host = record["machine"]["host_state"]
    if any(w["failed"] for w in record["work"]):
        limits.add(("M-19", "VOID"))
    limits_list = list(limits)
    if host["boot_id_before"] != host["boot_id_after"]:
        limits_list.append(("M-30", "VOID"))
    if host["oom_count"] > 0:
        limits_list.append(("M-30", "VOID"))
    words = [verdicts.get(s.get("system_baseline_digest", ""), "") for s in record["samples"]
             if s["metric"] == metric]
    if "invalid" in words:
        limits_list.append(("M-18", "VOID"))
    elif "investigate" in words:
        limits_list.append(("M-18", "INDICATIVE"))
    if any(w != "clean" for w in words):
        limits_list.append(("M-17", "INDICATIVE"))
    if a is None or b is None:
        return limits_list
    mine = {w["repetition"]: w for w in record["work"] if w["arm"] == ours["name"]}
    other = any(w["failed"] or w["ended_early"] for w in record["work"])
    theirs = [w for w in record["work"] if w["arm"] == reference["name"]]
    for w in theirs:
        if w["repetition"] in mine:
            other |= any(mine[w["repetition"]][k] != w[k]
                         for k in ("prompt_tokens", "output_tokens", "requests"))
    if other:
        limits_list.append(("M-27", "NOT APPLICABLE"))
    if len(mine) != len(theirs) and 1 in (len(mine), len(theirs)):
        limits_list.append(("M-33", "NOT APPLICABLE"))
    for key in ("model_sha256", "bytes_per_token", "prompt_corpus_sha256", "context_tokens",
                "sampling", "cache_state"):
        if ours["manifest"][key] != reference["manifest"][key]:
            limits_list.append(("M-35", "NOT APPLICABLE"))
    if reference["manifest"]["compile_mode"] == "eager" or reference["manifest"]["missing_isa"]:
        limits_list.append(("M-36", "VOID"))
    if reference["name"] == "peer" and reference["manifest"]["version"] != "1.0":
        limits_list.append(("M-38", "PROVISIONAL"))
    if token_class(record) in ("coherent", "not run"):
        limits_list.append(("M-21", "INDICATIVE"))
    if spread(a) > 3 or spread(b) > 3:
        limits_list.append(("M-25", "INDICATIVE"))
    signs = set()
    for x, y in zip(a["all"], b["all"]):
        ratio = x / y if higher else y / x
        if ratio != 1:
            signs.add(ratio > 1)
    if len(signs) == 2:
        limits_list.append(("M-26", "NOT SEPARATED"))
    return limits_list


def shown(found):
    return "none" if found is None else "/".join(
        number(float(found[k])) for k in ("value", "low", "high"))


def optional(value):
    return "none" if value is None else number(float(value))


def twin_standing(question):
    record, metric = question["record"], question["metric"]
    ours, reference = arm_of(record, "ours", "on"), arm_of(record, "reference", "off")
    a, b = (figure(record, arm["name"], metric, question["statistic"], question["legs"])
            for arm in (ours, reference))
    higher = any(d["metric"] == metric and d["higher_is_better"] for d in record["direction"])
    verdicts = {v["digest"]: v["verdict"] for v in question["verdicts"]}
    limits = limits_of(record, metric, ours, reference, a, b, higher, verdicts)
    width = band(question["control"], metric, question["statistic"])
    ratio, word = None, ""
    if a and b and all(STRENGTH.get(w, 0) for _, w in limits):
        ratio = a["value"] / b["value"] if higher else b["value"] / a["value"]
        if abs(ratio - 1) <= (width or 0) / 100:
            word = "TIE"
        else:
            word = "AHEAD" if ratio > 1 else "BEHIND"
    answer = "%s %s %s %s [%s] (%s)" % (shown(a), shown(b), optional(ratio), optional(width), word,
                                        token_class(record))
    return answer + "".join(" %s:%s" % limit for limit in sorted(limits))


# --- the bench record's own rules (18.1 and what it states of the measurement)

UNITS = {"ms": False, "s": False, "tokens/s (total)": True, "tokens/s (output)": True,
         "tokens/s (decode)": True, "requests/s": True, "GB/s": True, "bytes": False, "kB": False,
         "MB": False, "GB": False, "KiB": False, "MiB": False, "GiB": False, "tokens": None,
         "tokens/chunk": None, "share": None, "count": None, "percent": None, "logits": None}


def ordered_floats(record):
    """Fields of type float are numbers with a fraction in the canonical form's sense."""
    record = copy.deepcopy(record)
    for arm in record["arms"]:
        arm["manifest"]["bytes_per_token"] = float(arm["manifest"]["bytes_per_token"])
    for sample in record["samples"]:
        sample["values"] = [float(v) for v in sample["values"]]
    return record


def digest(record):
    unsealed = dict(ordered_floats(record), digest="")
    return "sha256:" + hashlib.sha256(canonical(unsealed).encode()).hexdigest()


def record_ids(record):
    ids = set()
    if record["digest"] != digest(record):
        ids.add("M-01")
    work = {}
    for w in record["work"]:
        work.setdefault(w["arm"], []).append(w["repetition"])
    most = max(len(v) for v in work.values())
    for arm in record["arms"]:
        found = work.get(arm["name"], [])
        if found != list(range(1, len(found) + 1)) or len(found) not in (most, 1):
            ids.add("M-02")
    seen, metrics = set(), {}
    last = {}
    for s in record["samples"]:
        key = (s["arm"], s["repetition"], s["metric"], s["cold"])
        if key in seen or not s["values"] or s["repetition"] < last.get(s["arm"], 0) or \
                s["repetition"] not in work.get(s["arm"], []):
            ids.add("M-02")
        last[s["arm"]] = max(last.get(s["arm"], 0), s["repetition"])
        seen.add(key)
        metrics.setdefault(s["arm"], set()).add(s["metric"])
    pairs = {key[:3] for key in seen}
    for w in record["work"]:
        names = metrics.get(w["arm"], set())
        if not names or any((w["arm"], w["repetition"], m) not in pairs for m in names):
            ids.add("M-02")
    host = record["machine"]["host_state"]
    void = any(w["failed"] for w in record["work"]) or host["oom_count"] > 0 or \
        host["boot_id_before"] != host["boot_id_after"]
    counts = [len(work.get(arm["name"], [])) for arm in record["arms"]]
    if not void:
        if min(counts) < 3:
            ids.add("M-23")
        orders = []
        for repetition in range(1, max(counts) + 1):
            order = []
            for s in record["samples"]:
                if s["repetition"] == repetition and s["arm"] not in order:
                    order.append(s["arm"])
            orders.append(order)
        if any(b != a[::-1] for a, b in zip(orders, orders[1:])):
            ids.add("M-23")
    if min(counts) == 1 and max(counts) > 1:
        ids.add("M-33")
    if host["lock"] != "cairn-bench.lock":
        ids.add("M-28")
    if host["clock_after_utc"] < host["clock_before_utc"] or host["swap_ins"] < 0:
        ids.add("M-29")
    for arm in record["arms"]:
        manifest = arm["manifest"]
        if any(isinstance(v, str) and not v.strip() for v in manifest.values()) or \
                min(manifest[k] for k in ("bytes_per_token", "batch_cap", "token_budget",
                                          "context_tokens", "threads")) <= 0:
            ids.add("M-34")
        if manifest["version"] in ("", "latest", "main", "master", "nightly", "head"):
            ids.add("M-37")
    names = [u["metric"] for u in record["units"]]
    if len(set(names)) < len(names):
        ids.add("M-39")
    if any(u["unit"].startswith("tokens/s") for u in record["units"]) and \
            any(w["output_tokens"] <= 0 and not w["failed"] for w in record["work"]):
        ids.add("M-40")
    directions = {}
    for d in record["direction"]:
        directions.setdefault(d["metric"], d["higher_is_better"])
    for u in record["units"]:
        better = UNITS.get(u["unit"])
        if u["metric"] not in directions or \
                better is not None and directions[u["metric"]] != better:
            ids.add("M-45")
        if u["unit"] not in UNITS:
            ids.add("M-47")
    if any(s["metric"] not in names for s in record["samples"]):
        ids.add("M-47")
    return ids


def twin_record(record):
    return digest(record) + " " + (" ".join(sorted(record_ids(record))) or "OK")


def sorted_ids(line):
    head, *ids = line.split(" ")
    return " ".join([head] + sorted(ids))


# --- streams

def twin_stream(stream):
    text = [c["at"] for c in stream["chunks"] if c["text"]]
    tokens = [c["tokens"] for c in stream["chunks"] if "tokens" in c]
    finish = [c["finish"] for c in stream["chunks"] if c["finish"]]
    tokens, finish = (tokens or [None])[-1], (finish or [""])[-1]
    first, last = (text[0], text[-1]) if text else (None, None)
    tpot = per_chunk = rate = None
    if text and tokens and tokens > 0:
        per_chunk = tokens / len(text)
        rate = tokens / (last / 1000) if last > 0 else None
        tpot = (last - first) / (tokens - 1) if tokens > 1 else None
    early = not finish or (tokens is not None and tokens < stream["asked"] and finish != "stop")
    return " ".join(map(optional, (first, last, tpot, per_chunk, rate))) + \
        (" early" if early else " whole")


# --- the state record

def twin_state(text):
    ids, before, clock = set(), "", ""
    for i, line in enumerate(text.split("\x1f")[:-1]):
        entry = json.loads(line)
        ok_kind = entry["kind"] in ("measured", "accepted", "superseded", "withdrawn", "void",
                                    "closed")
        if entry["previous_sha256"] != before or canonical(entry) != line or not ok_kind:
            ids.add("M-04")
        if entry["id"] != i + 1:
            ids |= {"M-05", "M-08"}
        if entry["time_utc"] < clock:
            ids.add("M-07")
        clock = max(clock, entry["time_utc"])
        before = hashlib.sha256(line.encode()).hexdigest()
    return " ".join(sorted(ids)) or "OK"


# --- the arm record

SERVING = ("metal.paged-kv", "metal.prefix-reuse", "metal.chunked-prefill",
           "metal.continuous-batching")


def twin_arm(asked):
    arm, receipt = asked["record"], asked["receipt"]
    levers = dict(documents_twin.METAL_LEVERS if receipt["envelope_id"] == METAL
                  else documents_twin.CUDA_LEVERS)
    conflicts = {"cuda.q8_1-activation-quant": ["cuda.scalar-f32-activation-baseline"],
                 "cuda.scalar-f32-activation-baseline": ["cuda.q8_1-activation-quant"]}
    changed = arm["changed_lever_id"]
    bad = any(arm[k] != receipt[k] for k in ("envelope_id", "changed_lever_id", "role",
                                             "revision"))
    states = {s["lever_id"]: s["enabled"] for s in arm["lever_states"]}
    bad |= [s["lever_id"] for s in arm["lever_states"]] != list(levers)
    candidate = arm["role"] == "candidate"
    bad |= states.get(changed, False) != candidate
    bad |= any(not states.get(d, False) for d in levers.get(changed, (0, 0, []))[2])
    bad |= candidate and any(states.get(c, False) for c in conflicts.get(changed, []))
    serving = arm.get("serving")
    if serving is None:
        bad |= changed in SERVING
    else:
        for key in ("ttft_milliseconds", "inter_token_milliseconds"):
            bad |= not 0 <= serving[key]["p50"] <= serving[key]["p95"]
        bad |= serving["aggregate_tokens_per_second"] <= 0 or serving["peak_bytes"] == 0
        bad |= not 0 <= serving["prefix_hit_rate"] <= 1 or serving["fallback_count"] != 0
    if changed == "cuda.q8_1-activation-quant":
        gates = {g["name"]: g for g in arm.get("numeric_gates", [])}
        for name in ("cosine", "argmax", "maxAbs"):
            gate = gates.get(name)
            bad |= gate is None or gate["passes"] != (
                gate["value"] <= gate["limit"] if name == "maxAbs"
                else gate["value"] >= gate["limit"])
    return "M-03" if bad else "OK"


# --- generated documents

def manifest():
    return {"model_sha256": hash_of("1"), "bytes_per_token": 700,
            "prompt_corpus_sha256": hash_of("2"), "batch_cap": 1, "token_budget": 256,
            "context_tokens": 2048, "kv_type": "bf16", "state_type": "f32",
            "kernel_family": "avx2", "compile_mode": "compiled", "sampling": "greedy",
            "cache_state": "cold", "threads": 2, "version": "1.0", "build_flags": "release",
            "missing_isa": [], "memory_reservation": "none"}


def record_of(rng, metric="rate", unit="tokens/s (decode)", rounds=None, control=False):
    rounds = rounds or rng.choice([3, 4, 5])
    names = ["first", "second"] if control else ["cairn", "peer"]
    centre = rng.uniform(50, 150)
    other = centre * rng.choice([1, 1, rng.uniform(0.9, 1.1), rng.uniform(0.5, 2)])
    wide = rng.choice([0.002, 0.01, 0.05])
    work, samples = [], []
    for repetition in range(1, rounds + 1):
        order = list(zip(names, (centre, centre if control else other)))
        for name, _ in order:
            work.append({"arm": name, "repetition": repetition, "requests": 1, "failed": 0,
                         "ended_early": 0, "prompt_tokens": 32, "output_tokens": 64,
                         "outputs_sha256": hash_of(rng.choice("5556") if not control else "5")})
        for name, middle in order if repetition % 2 else order[::-1]:
            for cold in [True, False] if control or rng.random() < 0.2 else [False]:
                values = [middle * rng.uniform(1 - wide, 1 + wide)
                          for _ in range(rng.choice([1, 2, 5]))]
                samples.append({"arm": name, "repetition": repetition, "cold": cold,
                                "metric": metric, "values": values,
                                "system_baseline_digest": CLEAN})
    record = {"schema": "cairn-bench-record/v1",
              "subject": {"key": "decode", "kind": "latency", "run_id": "run-1",
                          "control": control},
              "arms": [{"name": names[0], "role": "ours", "manifest": manifest()},
                       {"name": names[1], "role": "reference", "manifest": manifest()}],
              "work": work, "samples": samples, "units": [{"metric": metric, "unit": unit}],
              "direction": [{"metric": metric, "higher_is_better": unit != "ms"}],
              "machine": {"scrubbed_id": "lab-1", "platform": "linux/amd64", "backend": "cpu",
                          "host_state": {"boot_id_before": "b1", "boot_id_after": "b1",
                                         "clock_before_utc": "2026-11-30T10:00:00Z",
                                         "clock_after_utc": "2026-11-30T10:05:00Z",
                                         "swap_ins": 0, "oom_count": 0, "steal_milliseconds": 0,
                                         "lock": "cairn-bench.lock"}},
              "settings": [{"arm": names[0], "name": "threads", "value": "2", "origin": "flag"}],
              "digest": ""}
    record["machine"]["host_state"]["steal_milliseconds"] = 0.5
    return record


def plant(rng, record):
    host, peer = record["machine"]["host_state"], record["arms"][1]["manifest"]
    fault = rng.randrange(26)
    if fault == 0:
        record["work"][0]["failed"] = 1
    elif fault == 1:
        host["boot_id_after"] = "b2"
    elif fault == 2:
        host["oom_count"] = 1
    elif fault == 3:
        record["samples"][1]["system_baseline_digest"] = BUSY
    elif fault == 4:
        record["samples"][1]["system_baseline_digest"] = INVALID
    elif fault == 5:
        del record["samples"][1]["system_baseline_digest"]
    elif fault == 6:
        record["work"][1]["output_tokens"] = rng.choice([0, 63])
    elif fault == 7:
        record["work"][1]["ended_early"] = 1
    elif fault == 8:
        peer["compile_mode"] = "eager"
    elif fault == 9:
        peer["missing_isa"] = ["avx512"]
    elif fault == 10:
        peer["version"] = rng.choice(["1.1", "latest"])
    elif fault == 11:
        peer[rng.choice(["context_tokens", "threads"])] = 4096
    elif fault == 12:
        peer[rng.choice(["kv_type", "sampling"])] = rng.choice(["", "f16"])
    elif fault == 13:
        record["work"].pop(rng.randrange(len(record["work"])))
    elif fault == 14:
        record["samples"].pop(rng.randrange(len(record["samples"])))
    elif fault == 15:
        host["lock"] = "other.lock"
    elif fault == 16:
        record["units"][0]["unit"] = rng.choice(["tok/s", "ms"])
    elif fault == 17:
        record["units"].append({"metric": "rate", "unit": "tokens/s (total)"})
    elif fault == 18:
        record["direction"] = []
    elif fault == 19:
        record["work"] = [w for w in record["work"]
                          if w["arm"] != record["arms"][1]["name"] or w["repetition"] == 1]
    elif fault == 20:
        host["clock_after_utc"] = "2026-11-30T09:00:00Z"
    elif fault == 21:
        record["samples"][0], record["samples"][-1] = record["samples"][-1], record["samples"][0]


def sealed_record(rng):
    record = record_of(rng)
    plant(rng, record)
    record["digest"] = digest(record)
    if rng.random() < 0.1:
        record["digest"] = "sha256:" + hash_of("9")
    return record


def question_of(rng):
    unit = rng.choice(["tokens/s (decode)", "ms"])
    record = record_of(rng, unit=unit)
    plant(rng, record)
    control = record_of(rng, unit=unit, control=True)
    if rng.random() < 0.1:
        control["samples"] = [s for s in control["samples"] if not s["cold"]]
    return {"record": record, "control": control,
            "verdicts": [{"digest": CLEAN, "verdict": "clean"},
                         {"digest": BUSY, "verdict": "investigate"},
                         {"digest": INVALID, "verdict": "invalid"}],
            "metric": "rate", "statistic": rng.choice(["median", "p95", "p99"]),
            "legs": rng.choice(["warm only", "warm only", "with warm-up", "cold only"])}


def stream_of(rng):
    at, chunks = 0.0, []
    for _ in range(rng.randrange(6)):
        at += rng.choice([0, 5, 12.5, 100])
        chunks.append({"at": at, "text": rng.random() < 0.8, "finish": ""})
    if rng.random() < 0.8:
        chunks.append({"at": at + 1, "text": False, "tokens": rng.randrange(9),
                       "finish": rng.choice(["", "stop", "length"])})
    return {"chunks": chunks, "asked": 5}


def state_of(rng):
    entries, before = [], ""
    for i in range(rng.randrange(1, 7)):
        entries.append({"id": i + 1, "time_utc": "2026-11-30T10:00:%02dZ" % (i * 3),
                        "kind": rng.choice(["measured", "accepted", "withdrawn"]),
                        "subject": "decode", "receipt_digest": "sha256:" + hash_of("1"),
                        "previous_sha256": ""})
    fault = rng.randrange(8)
    if fault == 0:
        rng.choice(entries)["time_utc"] = "2026-11-30T10:00:07Z"
    elif fault == 1:
        rng.choice(entries)["id"] += 1
    elif fault == 2:
        rng.shuffle(entries)
    elif fault == 3:
        entries.pop(rng.randrange(len(entries)))
    elif fault == 4:
        rng.choice(entries)["kind"] = "guessed"
    lines = []
    for entry in entries:
        entry["previous_sha256"] = before
        lines.append(canonical(entry))
        before = hashlib.sha256(lines[-1].encode()).hexdigest()
    if fault == 5:
        at = rng.randrange(len(lines))
        lines[at] = lines[at].replace("decode", "encode")
    return "".join(line + "\x1f" for line in lines)


def arm_of_receipt(rng):
    lever = rng.choice(["metal.paged-kv", "metal.prefix-reuse", "metal.fused-hybrid-graph-coverage",
                        "cuda.q8_1-activation-quant", "cuda.dp4a-q4k-mmvq"])
    envelope = METAL if lever.startswith("metal") else CUDA
    levers = documents_twin.METAL_LEVERS if envelope == METAL else documents_twin.CUDA_LEVERS
    role = rng.choice(["baseline", "candidate"])
    receipt = documents_twin.receipt_of(rng, role, [3.0, 3.1, 3.2], envelope)
    receipt["changed_lever_id"] = lever
    conflict = {"cuda.q8_1-activation-quant": "cuda.scalar-f32-activation-baseline"}.get(lever)
    states = []
    for name in levers:
        on = name in levers[lever][2] or rng.random() < 0.2
        on = role == "candidate" if name == lever else on
        on = role == "baseline" if name == conflict else on
        states.append({"lever_id": name, "enabled": on})
    arm = {"schema": "cairn-arm-record/v1", "envelope_id": envelope, "changed_lever_id": lever,
           "role": role, "revision": receipt["revision"], "lever_states": states,
           "settings": [{"name": "threads", "value": "2", "origin": "flag"}],
           "tiers": [{"op": "project", "tier": "avx2"}],
           "serving": {"arrival_trace_sha256": hash_of("3"),
                       "ttft_milliseconds": {"p50": 10, "p95": 20},
                       "inter_token_milliseconds": {"p50": 5, "p95": 6},
                       "aggregate_tokens_per_second": 40, "peak_bytes": 1000,
                       "prefix_hit_rate": 0.5, "fallback_count": 0},
           "numeric_gates": [{"name": "cosine", "value": 0.999, "limit": 0.995, "passes": True},
                             {"name": "argmax", "value": 1, "limit": 1, "passes": True},
                             {"name": "maxAbs", "value": 0.01, "limit": 0.02, "passes": True}],
           "outputs_sha256": hash_of("4")}
    fault = rng.randrange(14)
    if fault == 0:
        rng.choice(states)["enabled"] ^= True
    elif fault == 1:
        del arm["serving"]
    elif fault == 2:
        arm["numeric_gates"].pop()
    elif fault == 3:
        arm["numeric_gates"][rng.randrange(3)]["value"] = rng.choice([0, 0.5, 3])
    elif fault == 4:
        arm["revision"] = "other"
    elif fault == 5:
        states.reverse()
    elif fault == 6:
        arm["serving"][rng.choice(["prefix_hit_rate", "fallback_count"])] = 2
    elif fault == 7:
        arm["serving"]["ttft_milliseconds"] = {"p50": 30, "p95": 20}
    return {"record": arm, "receipt": receipt}


KINDS = {"record": (sealed_record, twin_record), "standing": (question_of, twin_standing),
         "stream": (stream_of, twin_stream), "state": (state_of, twin_state),
         "arm": (arm_of_receipt, twin_arm)}


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(20261130)
    asked = []
    for i in range(count):
        kind = list(KINDS)[i % len(KINDS)]
        asked.append((kind, KINDS[kind][0](rng)))
    text = "".join(kind + " " + (document if kind == "state" else json.dumps(document)) + "\n"
                   for kind, document in asked)
    answers = subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True,
                             check=True).stdout.split("\n")[:-1]
    assert len(answers) == count, (len(answers), count)
    wrong, words = 0, {}
    for (kind, document), found in zip(asked, answers):
        expected = KINDS[kind][1](copy.deepcopy(document))
        for word in re.findall(r"M-\d\d|OK", expected):
            words[word] = words.get(word, 0) + 1
        if sorted_ids(found) == sorted_ids(expected):
            continue
        wrong += 1
        if wrong <= 5:
            print("%s\n  twin   %s\n  driver %s\n  %s" % (
                kind, expected, found,
                document if kind == "state" else json.dumps(document)), file=sys.stderr)
    print("%d documents, %d differ; %s" % (count, wrong, dict(sorted(words.items()))))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
