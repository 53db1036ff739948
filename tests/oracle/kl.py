#!/usr/bin/env python3
"""How far dumped logits are from the goldens; README.md gives formats and formula. Needs numpy only.

  kl.py MODEL kl FILE [--reference FILE]   mean KL divergence on the committed text; with a dump of the
                                           reference's own logits, the full sum over the vocabulary as well
  kl.py MODEL forced FILE                  changes of the argmax on the golden ids
  kl.py MODEL kl|forced --sequences        the ids to feed, as llama_logits and reference_logits.py read them

FILE is raw float32 [rows][vocabulary], or - for standard input. Prints one JSON object.
"""

import argparse
import json
import pathlib
import sys

import numpy

GOLDENS = pathlib.Path(__file__).parent / "goldens"
VOCABULARY = {"smollm2": 49152, "gemma3": 262144}


def golden(model, suffix=""):
    return json.loads((GOLDENS / f"{model}{suffix}.json").read_text(encoding="utf-8"))


def arrays(model):
    """The arrays of <model>-kl.bin by name, in float64 or int64."""
    facts = golden(model, "-kl")
    data = (GOLDENS / f"{model}-kl.bin").read_bytes()
    kinds = {"f32": "<f4", "f16": "<f2", "u32": "<u4"}
    found = {}
    for entry in facts["arrays"]:
        count = int(numpy.prod(entry["shape"]))
        values = numpy.frombuffer(data, kinds[entry["type"]], count, entry["offset"]).reshape(entry["shape"])
        found[entry["name"]] = values.astype(numpy.int64 if entry["type"] == "u32" else numpy.float64)
    return facts, found


def sequences(model, task):
    if task == "kl":
        return [(0, ids) for ids in golden(model, "-kl")["windows"]]
    prompts = golden(model)["prompts"]
    return [(len(p["prompt_ids"]) - 1, p["prompt_ids"] + p["ids"][:-1]) for p in prompts]


def rows_of(path, vocabulary, count):
    """`count` rows of logits, in float64; a file of another length is an error."""
    file = sys.stdin.buffer if path == "-" else open(path, "rb")
    for index in range(count):
        data = file.read(4 * vocabulary)
        if len(data) != 4 * vocabulary:
            raise SystemExit(f"{path}: ends in row {index} of {count}")
        row = numpy.frombuffer(data, "<f4").astype(numpy.float64)
        if not numpy.isfinite(row).all():
            raise SystemExit(f"{path}: row {index} has a value that is not finite")
        yield row
    if file.read(1):
        raise SystemExit(f"{path}: more than {count} rows")


def log_softmax(row):
    shifted = row - row.max()
    return shifted - numpy.log(numpy.exp(shifted).sum())


def estimate(reference, index, lq):
    """A + B and C of README.md for row `index`, given the other engine's log probabilities."""
    top, lp, log_tail = (reference[name][index] for name in ("top_id", "top_logprob", "tail_log_mass"))
    drawn, drawn_lp = reference["sample_id"][index], reference["sample_logprob"][index]
    scale = numpy.log(numpy.exp(lp).sum() + numpy.exp(log_tail))
    q = numpy.exp(lq)
    q[top] = 0.0
    log_tail_q = numpy.log(q.sum())
    bucketed = (numpy.exp(lp - scale) * (lp - scale - lq[top])).sum()
    bucketed += numpy.exp(log_tail - scale) * (log_tail - scale - log_tail_q)
    x = (lq[drawn] - log_tail_q) - (drawn_lp - log_tail)
    return bucketed, numpy.exp(log_tail) * (numpy.expm1(x) - x).mean()


def kl(model, path, reference_path):
    facts, reference = arrays(model)
    count, vocabulary = facts["rows"], VOCABULARY[model]
    ends = numpy.cumsum([len(ids) for ids in facts["windows"]])
    following = numpy.concatenate([ids[1:] + [-1] for ids in facts["windows"]])
    assert ends[-1] == count
    others = rows_of(reference_path, vocabulary, count) if reference_path else [None] * count
    parts, full, same, next_logprob = [], [], 0, []
    for index, (row, other) in enumerate(zip(rows_of(path, vocabulary, count), others)):
        lq = log_softmax(row)
        parts.append(estimate(reference, index, lq))
        same += int(lq.argmax() == reference["top_id"][index, 0])
        if following[index] >= 0:
            next_logprob.append(lq[following[index]])
        if other is not None:
            lp = log_softmax(other)
            full.append((numpy.exp(lp) * (lp - lq)).sum())
    parts = numpy.array(parts)
    rows = parts.sum(axis=1)
    answer = {
        "model": model,
        "rows": count,
        "kl_mean": rows.mean(),
        "kl_standard_error": rows.std() / numpy.sqrt(count),
        "kl_window_means": [part.mean() for part in numpy.split(rows, ends[:-1])],
        "kl_bucketed_mean": parts[:, 0].mean(),
        "kl_median": numpy.median(rows),
        "kl_p99": numpy.quantile(rows, 0.99),
        "kl_max": rows.max(),
        "top1_same_share": same / count,
        "nll_mean": -numpy.mean(next_logprob),
        "nll_mean_reference": -numpy.nanmean(reference["next_logprob"]),
    }
    if full:
        answer["kl_full_mean"] = numpy.mean(full)
    return answer


def forced(model, path):
    prompts = golden(model)["prompts"]
    rows = rows_of(path, VOCABULARY[model], sum(len(p["ids"]) for p in prompts))
    changes, steps = [], 0
    for prompt in prompts:
        for step, (expected, gap) in enumerate(zip(prompt["ids"], prompt["gap"])):
            got = int(next(rows).argmax())
            steps += 1
            if got != expected:
                changes.append({"prompt": prompt["name"], "step": step, "expected": expected, "got": got, "gap": gap})
    list(rows)
    gaps = [change["gap"] for change in changes]
    return {
        "model": model,
        "steps": steps,
        "changed": len(changes),
        "changed_share": len(changes) / steps,
        "gap_max": max(gaps, default=0.0),
        "changes": changes,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=VOCABULARY)
    parser.add_argument("task", choices=("kl", "forced"))
    parser.add_argument("file", nargs="?")
    parser.add_argument("--sequences", action="store_true")
    parser.add_argument("--reference")
    given = parser.parse_args()
    if given.sequences:
        for skip, ids in sequences(given.model, given.task):
            print(skip, *ids)
    elif given.file is None:
        parser.error("FILE or --sequences is needed")
    else:
        answer = kl(given.model, given.file, given.reference) if given.task == "kl" else forced(given.model, given.file)
        print(json.dumps(answer, indent=1))


if __name__ == "__main__":
    main()
