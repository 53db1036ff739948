#!/usr/bin/env python3
"""Makes the goldens of the tokenizer room with the Python packages tokenizers and gguf.

  python3 -m venv VENV && VENV/bin/pip install tokenizers gguf
  VENV/bin/python src/tokenizer/testdata/make_goldens.py

Reads the two models of tests/data/fetch and writes, beside itself:
strings.json (2,000 strings; [c, n] is n times c), smollm2.ids and gemma3.ids (a line of ids per
string, special tokens parsed, none added; 5*3 is 5 5 5), and llama_spm.json (strings around special
tokens).

The reference tokenizers are put together from the vocabulary in the model file and the published
configuration: SmolLM2 is Digits + ByteLevel over BPE; Gemma is BPE with byte fallback over a
normalizer that writes spaces as U+2581, its merges taken from the scores as transformers does.
"""

import json
import pathlib
import random

from gguf import GGUFReader
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parents[2] / "build" / "test-data"
NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4


def read(path):
    fields = GGUFReader(path).fields
    get = lambda key: fields[key].contents() if key in fields else None
    return {key: get("tokenizer.ggml." + key) for key in ("tokens", "scores", "token_type", "merges")}


def add_special(tokenizer, vocab):
    for text, kind in zip(vocab["tokens"], vocab["token_type"]):
        if kind in (CONTROL, UNKNOWN, USER_DEFINED):
            tokenizer.add_tokens([AddedToken(text, normalized=False, special=kind != USER_DEFINED)])


def smollm2():
    vocab = read(DATA / "SmolLM2-135M-Instruct.Q4_1.gguf")
    ids = {text: i for i, text in enumerate(vocab["tokens"])}
    merges = [tuple(merge.split(" ")) for merge in vocab["merges"]]
    tokenizer = Tokenizer(models.BPE(ids, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])
    tokenizer.decoder = decoders.ByteLevel()
    add_special(tokenizer, vocab)
    return tokenizer


def merges_from_scores(ids, scores, kinds):
    """All ways to put a piece together from two, best score first (as transformers converts)."""
    merges = []
    for text, i in ids.items():
        if kinds[i] not in (NORMAL, USER_DEFINED) or len(text) < 2:
            continue
        local = [(text[:k], text[k:]) for k in range(1, len(text))
                 if text[:k] in ids and text[k:] in ids]
        local.sort(key=lambda pair: (ids[pair[0]], ids[pair[1]]))
        merges += [(scores[i], pair) for pair in local]
    merges.sort(key=lambda entry: -entry[0])
    return [pair for _, pair in merges]


def sentence_piece(path, prefix):
    vocab = read(path)
    ids = {text: i for i, text in enumerate(vocab["tokens"])}
    merges = merges_from_scores(ids, vocab["scores"], vocab["token_type"])
    tokenizer = Tokenizer(models.BPE(ids, merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    space = normalizers.Replace(" ", "\u2581")
    tokenizer.normalizer = (normalizers.Sequence([normalizers.Prepend("\u2581"), space])
                            if prefix else space)
    add_special(tokenizer, vocab)
    return tokenizer


def character(random, plane):
    while True:
        code = plane * 0x10000 + random.randrange(0x10000)
        if not 0xD800 <= code < 0xE000:
            return chr(code)


EMOJI = ["👨‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "🇯🇵🇺🇸", "1️⃣", "😶‍🌫️", "❤️", "🧑🏿‍🚀", "✅"]
WORDS = ("the quick brown fox's don't WE'LL I'd it's they'RE naïve façade Ελληνικά кириллица שלום مرحبا "
         "नमस्ते ไทย 日本語 中文 한국어 Tiếng Việt ½ ² ①② ٣٤ 12345 0x1F 3.14 a_b::c() {x} [y] "
         "https://a.b/c?d=e#f @me #tag C++ <html> </p> \\n \\t \"q\" 'r' ſ 'ſ ǅ ŉ İstanbul").split(" ")
MARKERS = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<start_of_turn>", "<end_of_turn>", "<bos>",
           "<eos>", "<pad>", "<unk>", "<0x41>", "<0xFF>", "<repo_name>", "<|im_", "im_end|>",
           "<unused5>", "[multimodal]", "<mask>", "<h1>", "</s>", "<|im_start|>user", "▁", "▁▁"]
SPACES = [" ", "  ", "\t", "\n", "\r\n", "\n\n\n", "\u00a0", "\u3000", "\u2003", "\u2028", "\u180e",
          "\u200b", "\u0085", "\x0b", "\x0c", "\x1c", "\ufeff"]


def part(random):
    kind = random.randrange(12)
    if kind == 0:
        return "".join(character(random, random.choice([0, 0, 0, 1, 2, 3, 14, 15, 16]))
                       for _ in range(random.randrange(1, 9)))
    if kind == 1:
        return "".join(random.choice(EMOJI) for _ in range(random.randrange(1, 5)))
    if kind == 2:
        return "".join(chr(random.randrange(0, 0xA0)) for _ in range(random.randrange(1, 12)))
    if kind == 3:
        return random.choice(MARKERS) * random.choice([1, 1, 1, 2])
    if kind == 4:
        return random.choice(["a", "A", "字", ".", " ", "\n", "1", "é", "🙂", "\t", "ab", "▁", "'s"]) \
            * random.choice([2, 3, 7, 16, 31, 40])
    if kind in (5, 6):
        return "".join(random.choice(SPACES) for _ in range(random.randrange(1, 5)))
    if kind == 7:
        return str(random.randrange(10 ** random.randrange(1, 12)))
    if kind == 8:
        return "".join(chr(random.randrange(0x20, 0x7F)) for _ in range(random.randrange(1, 16)))
    return " ".join(random.choice(WORDS) for _ in range(random.randrange(1, 6)))


def strings():
    rng = random.Random(20240607)
    planes = ["".join(character(rng, plane) for _ in range(6)) for plane in range(17)]
    runs = [c * 3000 for c in ("a", "字", ".", " ", "\n", "7", "🙂", "Z")]
    rest = ["".join(part(rng) for _ in range(rng.randrange(1, 7)))
            for _ in range(2000 - len(planes) - len(runs) - 1)]
    return ["", *planes, *runs, *rest]


def run_length(ids):
    """Ids as text, a run of one id as id*count, to keep the files small."""
    out, i = [], 0
    while i < len(ids):
        k = i
        while k < len(ids) and ids[k] == ids[i]:
            k += 1
        out.append(f"{ids[i]}*{k - i}" if k - i > 2 else " ".join([str(ids[i])] * (k - i)))
        i = k
    return " ".join(out)


def main():
    texts = strings()
    shown = [[t[0], len(t)] if len(t) == 3000 and len(set(t)) == 1 else t for t in texts]
    (HERE / "strings.json").write_text(
        "[\n" + ",\n".join(json.dumps(t) for t in shown) + "\n]\n")
    references = {"smollm2": smollm2(),
                  "gemma3": sentence_piece(DATA / "gemma-3-270m-q4_k_m.gguf", prefix=False)}
    for name, tokenizer in references.items():
        lines = [run_length(tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]
        (HERE / f"{name}.ids").write_text("\n".join(lines) + "\n")
    llama = sentence_piece(DATA / "llama.cpp" / "models" / "ggml-vocab-llama-spm.gguf", prefix=True)
    around = ["a</s> b c", "a</s>b c", "</s>user", "<s> x", "<s>x</s>\n", "x</s>  y", "</s></s> "]
    (HERE / "llama_spm.json").write_text(json.dumps(
        [{"text": t, "ids": llama.encode(t, add_special_tokens=False).ids} for t in around],
        indent=1) + "\n")


if __name__ == "__main__":
    main()
