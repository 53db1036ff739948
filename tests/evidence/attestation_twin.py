#!/usr/bin/env python3
"""A second implementation of chapter 7 of native-performance.md, written from its text.

Builds reports from generated samples and judges generated documents, and compares both with what
the C++ answers: `attestation_twin.py DRIVER [REPORTS] [SEED]`. Free texts (source, reason, detail)
are the C++'s own; everything else of a report must be equal, and the digest is recomputed here.
"""

import copy
import hashlib
import json
import math
import random
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta

SECOND = 10**9
INT_MAX = 2**63 - 1

METRIC = [("available", "bool"), ("value", "float?"), ("unit", "str"), ("source", "str?"),
          ("reason", "str?")]
WINDOW = [("started_at_utc", "str"), ("ended_at_utc", "str"), ("duration_ns", "int"),
          ("sample_interval_ns", "int"), ("samples", "int")]
HOST = [(key, METRIC) for key in ("cpu_percent", "memory_total_bytes", "memory_available_bytes",
                                  "process_count")]
SAMPLER = [("counted_samples", "int"), ("wall_ns", "int"), ("duty_percent", METRIC)]
COUNTS = ["process_snapshots", "processes_observed", "process_reads", "process_unreadable",
          "host_cpu_samples", "host_memory_samples"]
COVERAGE = [(key, "int") for key in COUNTS + ["sut_root_pid"]] + [
    ("descendant_attribution", "str"), ("process_enumeration_note", "str?")]
ATTRIBUTION = [(key, METRIC) for key in ("sut_cpu_percent_of_host", "non_sut_cpu_percent_of_host",
                                         "sut_rss_bytes", "non_sut_rss_bytes")]
CONSUMER = [("image", "str"), ("pid", "int"), ("cpu_seconds", "float?"), ("rss_bytes", "uint?"),
            ("cpu_available", "bool"), ("rss_available", "bool")]
POLICY = [("minimum_baseline_samples", "int"), ("minimum_samples", "int"),
          ("maximum_non_sut_cpu_percent", "float"), ("maximum_sampler_duty_percent", "float"),
          ("require_host_cpu", "bool"), ("require_sut_cpu", "bool"),
          ("require_process_memory", "bool"), ("include_top_consumers", "bool")]
FINDING = [("code", "str"), ("detail", "str")]
REPORT = [("schema", "str"), ("verdict", "str"), ("baseline_window", WINDOW),
          ("baseline_host_totals", HOST), ("baseline_sampler", SAMPLER),
          ("command_window", WINDOW), ("command_sampler", SAMPLER), ("coverage", COVERAGE),
          ("host_totals", HOST), ("attribution", ATTRIBUTION),
          ("top_non_sut_consumers", ("list", CONSUMER)), ("policy", POLICY),
          ("findings", ("list", FINDING)), ("command_exit_code", "int"), ("timed_out", "bool"),
          ("digest", "str")]

# --- canonical text (J-20..J-22) -----------------------------------------------------------------


def number(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, part = mantissa.partition(".")
    digits = (whole + part).lstrip("0")
    point = len(whole) + int(exponent or 0)
    if whole.strip("0") == "":
        point -= len(whole + part) - len((whole + part).lstrip("0"))
    digits = digits.rstrip("0")
    if -6 < point <= 21:
        if point <= 0:
            return sign + "0." + "0" * -point + digits
        if len(digits) <= point:
            return sign + digits + "0" * (point - len(digits))
        return sign + digits[:point] + "." + digits[point:]
    power = point - 1
    text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{text}e{'+' if power > 0 else '-'}{abs(power)}"


def string(text):
    short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    out = []
    for c in text:
        if c in short:
            out.append(short[c])
        elif ord(c) < 0x20 or c in "<>&\u2028\u2029":
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def canonical(value, shape):
    if value is None:
        return "null"
    if isinstance(shape, tuple):
        return "[" + ",".join(canonical(each, shape[1]) for each in value) + "]"
    if isinstance(shape, list):
        members = []
        for key, inner in shape:
            each = value.get(key)
            if isinstance(inner, str) and inner.endswith("?") and not each:
                continue
            members.append(string(key) + ":" + canonical(each, inner))
        return "{" + ",".join(members) + "}"
    kind = shape.rstrip("?")
    if kind == "bool":
        return "true" if value else "false"
    return string(value) if kind == "str" else number(float(value) if kind == "float" else value)


def digest_of(report):
    text = canonical(dict(report, digest=""), REPORT)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


# --- folding (7.4) -------------------------------------------------------------------------------


def measured(value, unit):
    return {"available": True, "value": float(value), "unit": unit}


def unknown(unit):
    return {"available": False, "value": 0.0, "unit": unit}


def percent(part, whole):
    return float(part) / float(whole) * 100


def utc_text(ns):
    moment = datetime(1970, 1, 1) + timedelta(seconds=ns // SECOND)
    fraction = f"{ns % SECOND:09d}".rstrip("0")
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + ("." + fraction if fraction else "") + "Z"


def duration(series):
    return series[-1]["monotonic_ns"] - series[0]["monotonic_ns"] if series else 0


def window(series, interval):
    if not series:
        return {"started_at_utc": "", "ended_at_utc": "", "duration_ns": 0,
                "sample_interval_ns": interval, "samples": 0}
    start = series[0]["utc_ns"]
    return {"started_at_utc": utc_text(start), "ended_at_utc": utc_text(start + duration(series)),
            "duration_ns": duration(series), "sample_interval_ns": interval,
            "samples": len(series)}


def host_delta(series):
    if len(series) < 2 or series[0]["cpu"] is None or series[-1]["cpu"] is None:
        return None
    total = series[-1]["cpu"][0] - series[0]["cpu"][0]
    busy = series[-1]["cpu"][1] - series[0]["cpu"][1]
    return (total, busy) if total > 0 and 0 <= busy <= total else None


def host_totals(series):
    delta = host_delta(series)
    memory = [each["memory"] for each in series if each["memory"] is not None]
    total = next((each[0] for each in memory if each[0] != 0), 0)
    lists = [len(each["processes"]) for each in series if each["enumerated"]]
    return {
        "cpu_percent": measured(percent(delta[1], delta[0]), "percent") if delta
                       else unknown("percent"),
        "memory_total_bytes": measured(total, "bytes") if memory else unknown("bytes"),
        "memory_available_bytes": measured(min(each[1] for each in memory), "bytes") if memory
                                  else unknown("bytes"),
        "process_count": measured(max(lists), "processes") if lists else unknown("processes"),
    }


def sampler(series):
    costs = [each["census_ns"] for each in series[:-1]]
    usable = len(series) >= 2 and duration(series) > 0 and all(cost >= 0 for cost in costs)
    if not usable or sum(costs) > INT_MAX:
        return {"counted_samples": max(len(series) - 1, 0), "wall_ns": 0,
                "duty_percent": unknown("percent")}
    return {"counted_samples": len(series) - 1, "wall_ns": sum(costs),
            "duty_percent": measured(percent(sum(costs), duration(series)), "percent")}


def coverage(series, root):
    entries = [entry for each in series for entry in each["processes"]]
    notes = [each["note"] for each in series if each["note"]]
    return {
        "process_snapshots": sum(each["enumerated"] for each in series),
        "processes_observed": len(entries),
        "process_reads": sum(e["cpu_ns"] is not None or e["rss"] is not None for e in entries),
        "process_unreadable": sum(each["unreadable"] for each in series),
        "host_cpu_samples": sum(each["cpu"] is not None for each in series),
        "host_memory_samples": sum(each["memory"] is not None for each in series),
        "sut_root_pid": root, "descendant_attribution": "sampled_pid_ppid_tree",
        "process_enumeration_note": notes[-1] if notes else "",
    }


def identity(entry):
    return (entry["pid"], entry["start"])


def sut_identities(series, root):
    found = set()
    for each in series:
        if root <= 0:
            break
        pids = {root}
        while True:
            more = {e["pid"] for e in each["processes"] if e["ppid"] in pids} - pids
            if not more:
                break
            pids |= more
        found |= {identity(e) for e in each["processes"] if e["pid"] in pids}
    return found


def cpu_of(series, who):
    readings = [e["cpu_ns"] for each in series for e in each["processes"]
                if identity(e) == who and e["cpu_ns"] is not None]
    if len(readings) < 2 or any(b < a for a, b in zip(readings, readings[1:])):
        return None
    return readings[-1] - readings[0]


def sut_cpu(series, sut, root):
    if root <= 0 or not all(e["enumerated"] and not e["incomplete"] for e in series):
        return None
    entries = [entry for each in series for entry in each["processes"]]
    if len({identity(e) for e in entries if e["pid"] == root}) != 1:
        return None
    if any(identity(e) in sut and (e["cpu_ns"] is None or e["start"] == 0) for e in entries):
        return None
    deltas = [cpu_of(series, who) for who in sut]
    return None if None in deltas else sum(deltas)


def attribution(series, root):
    sut = sut_identities(series, root)
    used, delta = sut_cpu(series, sut, root), host_delta(series)
    result = {key: unknown("percent") for key, _ in ATTRIBUTION[:2]}
    if used is not None and delta and used <= delta[1]:
        result = {"sut_cpu_percent_of_host": measured(percent(used, delta[0]), "percent"),
                  "non_sut_cpu_percent_of_host": measured(percent(delta[1] - used, delta[0]),
                                                          "percent")}
    complete = all(each["enumerated"] and each["unreadable"] == 0 and
                   all(e["rss"] is not None for e in each["processes"]) for each in series)
    for key, inside in (("sut_rss_bytes", True), ("non_sut_rss_bytes", False)):
        sums = [sum(e["rss"] or 0 for e in each["processes"] if (identity(e) in sut) == inside)
                for each in series]
        result[key] = measured(max(sums), "bytes") if complete else unknown("bytes")
    return result


def base_name(image):
    return image.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or "unknown"


def top_consumers(series, root):
    sut = sut_identities(series, root)
    everyone = {identity(e): e["image"] for each in series for e in each["processes"]}
    consumers = []
    for who, image in everyone.items():
        if who in sut or who[0] <= 0:
            continue
        cpu = cpu_of(series, who)
        sizes = [e["rss"] for each in series for e in each["processes"]
                 if identity(e) == who and e["rss"] is not None]
        consumers.append((who, {"image": base_name(image), "pid": who[0],
                                "cpu_seconds": (cpu or 0) / 1e9, "rss_bytes": max(sizes, default=0),
                                "cpu_available": cpu is not None, "rss_available": bool(sizes)}))
    consumers.sort(key=lambda c: (-c[1]["cpu_seconds"], -c[1]["rss_bytes"], c[0]))
    return [each for _, each in consumers[:5]]


# --- verdict (7.2, 7.5) --------------------------------------------------------------------------


def normalised(policy):
    result = dict(policy)
    for key, standard in (("minimum_baseline_samples", 2), ("minimum_samples", 2)):
        if policy[key] <= 0:
            result[key] = standard
    for key, standard in (("maximum_non_sut_cpu_percent", 20.0),
                          ("maximum_sampler_duty_percent", 10.0)):
        if not math.isfinite(policy[key]) or not 0 < policy[key] <= 100:
            result[key] = standard
    return result


def above(metric, limit):
    return metric["available"] and metric.get("value", 0.0) > limit


def judge(report):
    policy = normalised(report["policy"])
    quiet, busy = report["baseline_window"], report["command_window"]
    quiet_cpu = report["baseline_host_totals"]["cpu_percent"]
    parts = report["attribution"]
    sut, rest = parts["sut_cpu_percent_of_host"], parts["non_sut_cpu_percent_of_host"]
    duties = [report[key]["duty_percent"] for key in ("baseline_sampler", "command_sampler")]
    cpu_max, duty_max = (policy["maximum_non_sut_cpu_percent"],
                         policy["maximum_sampler_duty_percent"])
    rows = [
        ("INVALID_BASELINE_WINDOW", True, quiet["samples"] < policy["minimum_baseline_samples"]
         or quiet["duration_ns"] <= 0),
        ("INVALID_WINDOW", True, busy["samples"] < policy["minimum_samples"]
         or busy["duration_ns"] <= 0 or report["coverage"]["sut_root_pid"] <= 0),
        ("BASELINE_HOST_CPU_UNKNOWN", False, policy["require_host_cpu"]
         and not quiet_cpu["available"]),
        ("HOST_CPU_UNKNOWN", False, policy["require_host_cpu"]
         and not report["host_totals"]["cpu_percent"]["available"]),
        ("SUT_CPU_UNKNOWN", False, policy["require_sut_cpu"]
         and not (sut["available"] and rest["available"])),
        ("PROCESS_MEMORY_UNKNOWN", False, policy["require_process_memory"] and not (
            parts["sut_rss_bytes"]["available"] and parts["non_sut_rss_bytes"]["available"])),
        ("SAMPLER_DUTY_UNKNOWN", False, not all(duty["available"] for duty in duties)),
        ("BASELINE_SAMPLER_DUTY_HIGH", False, above(duties[0], duty_max)),
        ("COMMAND_SAMPLER_DUTY_HIGH", False, above(duties[1], duty_max)),
        ("BASELINE_HOST_CPU_HIGH", False, above(quiet_cpu, cpu_max)),
        ("NON_SUT_CPU_HIGH", False, above(rest, cpu_max)),
        ("COMMAND_FAILED", True, report["command_exit_code"] != 0),
        ("COMMAND_TIMEOUT", True, report["timed_out"]),
    ]
    hits = [(code, invalid) for code, invalid, holds in rows if holds]
    verdict = "clean" if not hits else "investigate"
    if any(invalid for _, invalid in hits):
        verdict = "invalid"
    return verdict, [code for code, _ in hits]


def zero(shape):
    blank = {"bool": False, "str": "", "int": 0, "uint": 0, "float": 0.0}
    return {key: zero(inner) if isinstance(inner, list) else blank[inner.rstrip("?")]
            for key, inner in shape}


def build(samples):
    quiet, busy = (sorted(samples[key], key=lambda each: each["monotonic_ns"])
                   for key in ("baseline", "command"))
    root, interval = samples["root_pid"], samples["interval_ns"]
    report = {
        "schema": "fak.system-baseline/v1", "policy": normalised(samples["policy"]),
        "baseline_window": window(quiet, interval), "baseline_host_totals": host_totals(quiet),
        "baseline_sampler": sampler(quiet), "top_non_sut_consumers": [],
        "command_exit_code": samples["exit_code"], "timed_out": samples["timed_out"],
        "command_window": zero(WINDOW), "command_sampler": zero(SAMPLER),
        "coverage": zero(COVERAGE), "host_totals": zero(HOST), "attribution": zero(ATTRIBUTION),
    }
    if not busy:
        return dict(report, verdict="invalid", findings=["NO_SAMPLES"])
    report.update(command_window=window(busy, interval), command_sampler=sampler(busy),
                  coverage=coverage(busy, root), host_totals=host_totals(busy),
                  attribution=attribution(busy, root))
    if samples["policy"]["include_top_consumers"]:
        report["top_non_sut_consumers"] = top_consumers(busy, root)
    report["verdict"], report["findings"] = judge(report)
    return report


# --- checking (3, 7.7) ---------------------------------------------------------------------------


class Refused(Exception):
    pass


class Literal(float):
    """A number that was written with a fraction or an exponent."""


def no_duplicates(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise Refused
    return dict(pairs)


def literal(text):
    if math.isinf(float(text)):
        raise Refused
    return Literal(text)


def constant(_):
    raise Refused


def fit(value, shape):
    """`value` as the shape says, with defaults for what may be left out."""
    if isinstance(shape, tuple):
        if value is not None and not isinstance(value, list):
            raise Refused
        return None if value is None else [fit(each, shape[1]) for each in value]
    if isinstance(shape, list):
        if not isinstance(value, dict) or set(value) - {key for key, _ in shape}:
            raise Refused
        result = {}
        for key, inner in shape:
            optional = isinstance(inner, str) and inner.endswith("?")
            if key in value:
                result[key] = fit(value[key], inner)
            elif optional:
                result[key] = zero([(key, inner)])[key]
            else:
                raise Refused
        return result
    kind = shape.rstrip("?")
    wanted = {"bool": bool, "str": str, "int": int, "uint": int, "float": (int, float)}[kind]
    if not isinstance(value, wanted) or (kind != "bool" and isinstance(value, bool)):
        raise Refused
    low, high = {"int": (-2**63, INT_MAX), "uint": (0, 2**64 - 1)}.get(kind, (None, None))
    if low is not None and not low <= value <= high:
        raise Refused
    return float(value) if kind == "float" else value


def metrics(report):
    for group, shape in (("baseline_host_totals", HOST), ("host_totals", HOST),
                         ("attribution", ATTRIBUTION)):
        for key, _ in shape:
            yield report[group][key]
    yield report["baseline_sampler"]["duty_percent"]
    yield report["command_sampler"]["duty_percent"]


def duty_is_right(win, cost):
    if win["samples"] < 2 or win["duration_ns"] <= 0:
        return True
    duty = cost["duty_percent"]
    if cost["counted_samples"] != win["samples"] - 1:
        return False
    if not duty["available"]:
        return cost["wall_ns"] == 0 and duty["reason"] != ""
    return abs(duty["value"] - percent(cost["wall_ns"], win["duration_ns"])) <= 1e-9


def consumers_are_right(report):
    consumers = report["top_non_sut_consumers"] or []
    if consumers and not report["policy"]["include_top_consumers"] or len(consumers) > 5:
        return False
    return all(each["pid"] > 0 and each["image"] == base_name(each["image"])
               and each["cpu_seconds"] >= 0 for each in consumers)


def check(text):
    """The first broken rule, the digest and whether A-10 is broken."""
    try:
        if len(text.encode()) > 2**20:
            raise Refused
        report = fit(json.loads(text, object_pairs_hook=no_duplicates, parse_float=literal,
                                parse_constant=constant), REPORT)
    except (Refused, ValueError):
        return "A-01", None, False
    windows = [report["baseline_window"], report["command_window"]]
    costs = [report["baseline_sampler"], report["command_sampler"]]
    counts = ([each[key] for each in windows
               for key in ("samples", "duration_ns", "sample_interval_ns")] +
              [report["coverage"][key] for key in COUNTS] +
              [each[key] for each in costs for key in ("counted_samples", "wall_ns")])
    available = [each for each in metrics(report) if each["available"]]
    rules = [
        ("A-02", report["schema"] == "fak.system-baseline/v1"),
        ("A-03", report["verdict"] in ("clean", "investigate", "invalid")),
        ("A-04", report["digest"] == digest_of(report)),
        ("A-05", min(counts) >= 0),
        ("A-06", all(duty_is_right(*each) for each in zip(windows, costs))),
        ("A-07", all(each["value"] >= 0 and each["unit"] for each in available)),
        ("A-08", report["verdict"] == judge(report)[0]),
        ("A-09", consumers_are_right(report)),
    ]
    first = next((name for name, holds in rules if not holds), None)
    opt_in = any(not each["available"] and (each["value"] != 0 or not each["reason"])
                 for each in metrics(report))
    return first, digest_of(report), opt_in


# --- generated input -----------------------------------------------------------------------------


def generated_series(rng, population):
    """A run of samples: counters that mostly rise, processes that come, go and hide."""
    series = []
    wall, clock = rng.randrange(10**18, 2 * 10**18), rng.randrange(10**12)
    total, busy = rng.randrange(10**12), 0
    calm = rng.random() < 0.75
    for _ in range(rng.choice([2, 3, 4, 6] if calm else [0, 1, 2, 2, 3, 4, 6])):
        step = rng.choice([SECOND, SECOND // 4] if calm else [SECOND, rng.randrange(1, SECOND), 0])
        clock += step
        wall += step + (0 if calm else rng.randrange(-SECOND, SECOND))
        used = 0
        for each in population:
            grown = rng.randrange(0, 10**7 if calm else 10**8) if rng.random() < 0.7 else 0
            each["cpu_ns"] += grown
            used += grown
            if not calm and rng.random() < 0.03:
                each["cpu_ns"] = max(each["cpu_ns"] - 5 * 10**7, 0)
            if not calm and rng.random() < 0.03:
                each["start"] = rng.choice([0, each["start"] + 1])
            if not calm and rng.random() < 0.05:
                each["ppid"] = rng.choice([1, 10, 10, each["pid"]])
        busy += used + rng.randrange(0, 10**8)
        total += 4 * step if rng.random() < 0.95 else -step
        hidden = 0.0 if calm else 0.04
        processes = [{"pid": each["pid"], "ppid": each["ppid"], "start": each["start"],
                      "image": each["image"],
                      "cpu_ns": None if rng.random() < hidden else each["cpu_ns"],
                      "rss": None if rng.random() < hidden else rng.randrange(10**9)}
                     for each in population if rng.random() >= hidden]
        enumerated = calm or rng.random() < 0.95
        series.append({
            "utc_ns": wall, "monotonic_ns": clock,
            "cpu": None if rng.random() < hidden else [total, busy],
            "memory": None if rng.random() < hidden else [rng.choice([0, 8 * 10**9, 10**10]),
                                                          rng.randrange(1, 10**10)],
            "processes": processes if enumerated else [], "enumerated": enumerated,
            "incomplete": not calm and rng.random() < 0.05,
            "unreadable": 0 if calm or rng.random() < 0.9 else rng.randrange(4),
            "note": rng.choice(["", "", "", "h\u00e9 <&> \u2028 \"note\"\n"]),
            "census_ns": rng.choice([0, 10**6, 10**7, rng.randrange(10**8)]) if calm or
                         rng.random() < 0.95 else rng.choice([-1, INT_MAX]),
        })
    if not calm:
        rng.shuffle(series)
    return series


def generated_policy(rng):
    nonsense = rng.random() < 0.3
    return {"minimum_baseline_samples": rng.choice([2, 2, 3, 0, -5] if nonsense else [2, 2, 3]),
            "minimum_samples": rng.choice([2, 2, 4, 0, -1] if nonsense else [2]),
            "maximum_non_sut_cpu_percent": rng.choice([20.0, 0.0, -1.0, 100.5, 33.25, 100.0]
                                                      if nonsense else [20.0, 60.0]),
            "maximum_sampler_duty_percent": rng.choice([10.0, 0.0, 1e300, 2.5] if nonsense
                                                       else [10.0]),
            "require_host_cpu": rng.random() < 0.9, "require_sut_cpu": rng.random() < 0.9,
            "require_process_memory": rng.random() < 0.2,
            "include_top_consumers": rng.random() < 0.4}


def generated_samples(rng):
    names = ["bench", "a b (c)", "C:\\x\\R&D<1>.exe", "/usr/bin/\u00fcber", "/", "", "k/0:1\t"]
    population = [{"pid": 10 + i, "ppid": rng.choice([1, 1, 10, 9 + i]), "start": 100 + i,
                   "image": rng.choice(names), "cpu_ns": rng.randrange(10**10)}
                  for i in range(rng.randrange(1, 9))]
    return {"baseline": generated_series(rng, copy.deepcopy(population)),
            "command": generated_series(rng, population), "interval_ns": 250 * 10**6,
            "root_pid": rng.choice([10] * 30 + [0, -3, 999]),
            "exit_code": rng.choice([0] * 30 + [1, 7, 143, -1]), "timed_out": rng.random() < 0.05,
            "policy": generated_policy(rng)}


def places(value, path=()):
    """Every path inside a document."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
        value, list) else ()
    for key, each in inner:
        yield from places(each, path + (key,))


def mutate(rng, report):
    """Changes one place, seals most of the time."""
    changed = copy.deepcopy(report)
    path = rng.choice([each for each in places(changed) if each])
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    if isinstance(holder, dict) and rng.random() < 0.1:
        if rng.random() < 0.5:
            del holder[path[-1]]
        else:
            holder[rng.choice(["extra", path[-1].upper()])] = 1
    elif isinstance(old, bool):
        holder[path[-1]] = not old
    elif isinstance(old, (int, float)):
        holder[path[-1]] = rng.choice([old + 1, -1, 0, old * 2, old + 1e-8, 1e22, 1.5e-7, None,
                                       "1", int(old)])
    elif isinstance(old, str):
        holder[path[-1]] = rng.choice(["", "clean", "investigate", "invalid", old + "/x", "\u0001",
                                       None, 3])
    elif isinstance(old, list):
        holder[path[-1]] = rng.choice([None, [], old + old, {}])
    else:
        holder[path[-1]] = rng.choice([None, [], {}])
    if rng.random() < 0.8:
        try:
            changed["digest"] = digest_of(fit(changed, REPORT))
        except (Refused, KeyError):
            pass
    return changed


def document(rng, report):
    """The report as a file: any order, any white space, sometimes spoilt."""

    def shuffled(value):
        if isinstance(value, dict):
            items = list(value.items())
            rng.shuffle(items)
            return {key: shuffled(each) for key, each in items}
        return [shuffled(each) for each in value] if isinstance(value, list) else value

    text = json.dumps(shuffled(report), indent=rng.choice([None, 1, 2]),
                      ensure_ascii=rng.random() < 0.5)
    spoil = rng.random()
    if spoil < 0.02:
        return text[:rng.randrange(len(text))]
    if spoil < 0.04:
        return text + rng.choice(["{}", " x", "\n\n", ","])
    if spoil < 0.06:
        return text.replace('"samples": 2', '"samples": 2.0', 1)
    if spoil < 0.08:
        return text.replace('"timed_out"', '"timed_out": true, "timed_out"', 1)
    return text


# --- comparing -----------------------------------------------------------------------------------


def bare(report):
    """A report without what is free text, and with the defaults of what was left out."""
    full = fit({key: report[key] for key, _ in REPORT}, REPORT)
    for each in metrics(full):
        each["source"] = each["reason"] = ""
    full["findings"] = [each["code"] for each in full["findings"]]
    del full["digest"]
    return full


def expected(report):
    filled = copy.deepcopy(report)
    for each in metrics(filled):
        each["source"] = each["reason"] = ""
    return filled


def ask(driver, requests):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for each in requests:
            file.write(json.dumps(each) + "\n")
        file.flush()
        answer = subprocess.run([driver, file.name], check=True, capture_output=True, text=True)
    lines = answer.stdout.split("\n")[:-1]
    if len(lines) != len(requests):
        sys.exit(f"{len(requests)} requests, {len(lines)} answers")
    return lines


def compare_reports(driver, rng, count):
    samples = [generated_samples(rng) for _ in range(count)]
    lines = ask(driver, [{"samples": each} for each in samples])
    verdicts, reports = {}, []
    for given, line in zip(samples, lines):
        theirs, ours = json.loads(line), build(given)
        if bare(theirs) != expected(ours):
            sys.exit(f"reports differ\nsamples {json.dumps(given)}\nC++    {bare(theirs)}\n"
                     f"Python {expected(ours)}")
        if theirs["digest"] != digest_of(fit(theirs, REPORT)):
            sys.exit(f"digests differ: {line}")
        if line != canonical(fit(theirs, REPORT), REPORT):
            sys.exit(f"canonical texts differ: {line}")
        verdicts[ours["verdict"]] = verdicts.get(ours["verdict"], 0) + 1
        reports.append(theirs)
    return reports, verdicts


def compare_checks(driver, rng, reports):
    texts = [document(rng, each) for each in reports]
    texts += [document(rng, mutate(rng, each)) for each in reports for _ in range(4)]
    ids = {}
    for text, line in zip(texts, ask(driver, [{"document": each} for each in texts])):
        theirs, (rule, digest, opt_in) = json.loads(line), check(text)
        ours = {"id": rule, "digest": digest,
                "opt_in": "A-10" if opt_in else None} if digest else {"id": rule, "digest": None}
        if any(theirs[key] != value for key, value in ours.items()):
            sys.exit(f"checks differ\ndocument {text}\nC++    {theirs}\nPython {ours}")
        ids[rule or "valid"] = ids.get(rule or "valid", 0) + 1
    return ids


def main():
    driver = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    reports, verdicts = compare_reports(driver, rng, count)
    ids = compare_checks(driver, rng, reports)
    print(f"{count} reports agree: {verdicts}")
    print(f"{sum(ids.values())} checks agree: {dict(sorted(ids.items()))}")
    if len(verdicts) < 3 or min(verdicts.values()) < count // 30:
        sys.exit("the generated samples do not reach every verdict")
    missing = {f"A-0{i}" for i in range(1, 10)} - set(ids)
    if missing:
        sys.exit(f"the generated documents do not reach {sorted(missing)}")


if __name__ == "__main__":
    main()
