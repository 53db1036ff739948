#!/usr/bin/env python3
"""Writes goldens/<model>.json, <model>-hidden.{json,f32} and <model>-kl.{json,bin}; README.md describes them.

  make_goldens.py [smollm2] [gemma3] [--only greedy,hidden,kl] [--threads N]
"""

import argparse
import hashlib
import importlib.metadata
import json
import pathlib
import time

import numpy
import torch

import prompts
import vocabulary
import weights

GOLDENS = pathlib.Path(__file__).parent / "goldens"
STEPS = 64
WINDOW, WINDOWS = 512, 8
TOP, SAMPLES = 16, 8
HIDDEN_ROWS = 2


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def write_json(path, head, rows_name, rows):
    """`head` on the first lines, then one line for each of `rows`: compact, and a diff stays readable."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    body = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    lines.append(f"{json.dumps(rows_name)}: [\n{body}\n]")
    path.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def head(model):
    packages = ("torch", "transformers", "gguf", "numpy", "tokenizers")
    return {
        "model": model,
        "file": weights.FILES[model],
        "sha256": hashlib.sha256(weights.path(model).read_bytes()).hexdigest(),
        "made_with": {name: importlib.metadata.version(name) for name in packages},
    }


def generate(network, rows):
    """Greedy ids for all `rows` at once, padded on the left."""
    longest = max(len(row) for row in rows)
    ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
    mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows])
    out = network.generate(
        ids, attention_mask=mask, max_new_tokens=STEPS, do_sample=False, eos_token_id=None, pad_token_id=0
    )
    return out[:, longest:].tolist()


def check_steps(network, prompt_ids, ids):
    """The two best logits before each of `ids`, from one uncached pass; ids that it disagrees with are an error."""
    sequence = torch.tensor([prompt_ids + ids[:-1]])
    logits = network(sequence, use_cache=False, logits_to_keep=len(ids)).logits[0]
    best = logits.topk(2, dim=-1)
    wrong = [i for i in range(len(ids)) if best.indices[i, 0] != ids[i]]
    if wrong:
        raise SystemExit(f"step {wrong[0]}: cached and uncached passes choose different ids")
    gaps = (best.values[:, 0] - best.values[:, 1]).tolist()
    return [round(x, 4) for x in best.values[:, 0].tolist()], [round(x, 5) for x in gaps]


def batches(rows):
    """Indices grouped by length, so that little is padded."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    return [order[:12], order[12:18], order[18:]]


def make_greedy(model, network, words):
    chosen = prompts.of(model, words)
    rows = [words.first + words.encode(text) for _, _, text in chosen]
    ids = [None] * len(rows)
    for group in batches(rows):
        for index, answer in zip(group, generate(network, [rows[i] for i in group])):
            ids[index] = answer
        say(f"{model}: {sum(answer is not None for answer in ids)} prompts continued")
    entries = []
    for (name, kind, text), row, answer in zip(chosen, rows, ids):
        top1, gap = check_steps(network, row, answer)
        entries.append(
            {"name": name, "kind": kind, "text": text, "prompt_ids": row, "ids": answer, "top1": top1, "gap": gap}
        )
        say(f"{name} ({len(row)}): {words.tokenizer.decode(answer, skip_special_tokens=False)[:90]!r}")
    write_json(GOLDENS / f"{model}.json", head(model), "prompts", entries)


def hidden_points(network):
    """(name, module, takes) in the order of the forward pass; `takes` is the module's input or output."""
    inner = network.model
    yield "embedding", inner.embed_tokens, "output"
    gemma = hasattr(inner.layers[0], "pre_feedforward_layernorm")
    before_feed_forward = "pre_feedforward_layernorm" if gemma else "post_attention_layernorm"
    for n, layer in enumerate(inner.layers):
        yield f"layer.{n}.attention", getattr(layer, before_feed_forward), "input"
        yield f"layer.{n}", layer, "output"
    yield "final_norm", inner.norm, "output"


def make_hidden(model, network, words):
    ids = words.first + words.encode(prompts.HIDDEN[model])
    rows = [len(ids) // 2, len(ids) - 1]
    seen = {}

    def keep(name, value):
        seen[name] = (value[0] if isinstance(value, tuple) else value)[0, rows].numpy().astype("<f4")

    hooks = []
    points = list(hidden_points(network))
    for name, module, takes in points:
        def hook(_, given, out, name=name, takes=takes):
            keep(name, given if takes == "input" else out)

        hooks.append(module.register_forward_hook(hook))
    network(torch.tensor([ids]), use_cache=False)
    for hook in hooks:
        hook.remove()
    values = numpy.stack([seen[name] for name, _, _ in points])
    values.tofile(GOLDENS / f"{model}-hidden.f32")
    facts = {"prompt": prompts.HIDDEN[model], "prompt_ids": ids, "rows": rows, "width": values.shape[2]}
    write_json(GOLDENS / f"{model}-hidden.json", head(model) | facts, "points", [name for name, _, _ in points])


def windows_of(words):
    ids = words.encode(prompts.TEXT)
    step = WINDOW - len(words.first)
    return [words.first + ids[at : at + step] for at in range(0, len(ids), step)][:WINDOWS]


def kl_rows(logits, following, random):
    """The arrays of one window; see README.md."""
    logprobs = torch.log_softmax(logits.to(torch.float64), dim=-1)
    top = logprobs.topk(TOP, dim=-1)
    tail = logprobs.exp().scatter(1, top.indices, 0.0)
    drawn = torch.multinomial(tail, SAMPLES, replacement=True, generator=random)
    next_logprob = numpy.full(len(logits), numpy.nan)
    next_logprob[: len(following)] = logprobs[torch.arange(len(following)), following].numpy()
    return {
        "next_logprob": next_logprob.astype("<f4"),
        "tail_log_mass": tail.sum(dim=-1).log().numpy().astype("<f4"),
        "top_id": top.indices.numpy().astype("<u4"),
        "top_logprob": top.values.numpy().astype("<f2"),
        "sample_id": drawn.numpy().astype("<u4"),
        "sample_logprob": logprobs.gather(1, drawn).numpy().astype("<f2"),
    }


def make_kl(model, network, words):
    windows = windows_of(words)
    random = torch.Generator().manual_seed(20240229)
    parts = []
    for ids in windows:
        logits = network(torch.tensor([ids]), use_cache=False).logits[0]
        parts.append(kl_rows(logits, torch.tensor(ids[1:]), random))
        say(f"{model}: {len(parts)} of {len(windows)} windows")
    arrays, offset = [], 0
    with open(GOLDENS / f"{model}-kl.bin", "wb") as file:
        for name in parts[0]:
            values = numpy.concatenate([part[name] for part in parts])
            kind = {"<f4": "f32", "<f2": "f16", "<u4": "u32"}[values.dtype.str]
            arrays.append({"name": name, "type": kind, "shape": list(values.shape), "offset": offset})
            offset += file.write(values.tobytes())
    facts = {"rows": sum(map(len, windows)), "top": TOP, "samples": SAMPLES, "arrays": arrays}
    write_json(GOLDENS / f"{model}-kl.json", head(model) | facts, "windows", windows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", default=list(weights.FILES))
    parser.add_argument("--only", default="hidden,greedy,kl")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.set_grad_enabled(False)
    GOLDENS.mkdir(exist_ok=True)
    makers = {"hidden": make_hidden, "greedy": make_greedy, "kl": make_kl}
    for model in arguments.models:
        words, network = vocabulary.of(model), weights.load(model)
        for part in arguments.only.split(","):
            makers[part](model, network, words)
            say(f"{model}: {part} written")


if __name__ == "__main__":
    main()
