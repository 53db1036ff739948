#!/usr/bin/env python3
"""Makes the checkpoints of this folder and their goldens with transformers in float32.

  python3 -m venv VENV && VENV/bin/pip install torch transformers safetensors tokenizers
  VENV/bin/python tests/huggingface/make_checkpoints.py [NAME ...]

Each is a folder as save_pretrained leaves it: random weights, a small tokenizer trained on the
text of tests/oracle, config, generation config, chat template. golden.json beside it has what
transformers says: ids of texts, logits of a prompt as float32 bytes in hexadecimal, greedy ids.
"""

import json
import pathlib
import shutil
import sys

import torch
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
from tokenizers import pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).resolve().parent
TEXT = (HERE.parent / "oracle" / "text.txt").read_text()
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
TEMPLATE = ("{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content']"
            " + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n'"
            " }}{% endif %}")
STRINGS = ["Hello world", " It's 12345 things, naïve façade\n\n  and tabs\t.", "日本語 한국어 🙂👍🏽", "",
           "e\u0301 \u1100\u1161 a\u0323\u0307b", "<|im_start|>user\nhi<|im_end|>", "\r\n \u3000x\u00a0y",
           "WE'LL DON'T 'S ½ ² ٣٤", "<s> x </s>y", "▁ ▁▁a", "a" * 40 + " " * 17 + "b"]


def byte_level(pattern, vocabulary, specials, normalizer=None, bos=None, ignore_merges=False):
    """A byte-level BPE tokenizer, cut by `pattern`, or as SmolLM2's where that is None."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    if pattern is None:
        steps = [pre_tokenizers.Digits(individual_digits=True),
                 pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    else:
        steps = [pre_tokenizers.Split(Regex(pattern), "isolated"),
                 pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.decoder = decoders.ByteLevel()
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    trainer = trainers.BpeTrainer(vocab_size=vocabulary, special_tokens=specials,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator([TEXT], trainer)
    if bos is not None:
        tokenizer.post_processor = processors.Sequence([
            processors.ByteLevel(trim_offsets=False),
            processors.TemplateProcessing(single=f"{bos} $A", pair=f"{bos} $A {bos} $B",
                                          special_tokens=[(bos, tokenizer.token_to_id(bos))])])
    return tokenizer


def space_marked(vocabulary, specials, prefix):
    """A vocabulary as transformers makes it of a SentencePiece model: characters, bytes, merges."""
    pieces = [*specials, *(f"<0x{i:02X}>" for i in range(256))]
    words = [word.replace(" ", "\u2581") for word in TEXT.split("\n") if word]
    trained = Tokenizer(models.BPE())
    trained.train_from_iterator(words, trainers.BpeTrainer(vocab_size=vocabulary - len(pieces)))
    order = sorted(trained.get_vocab().items(), key=lambda entry: entry[1])
    pieces += [text for text, _ in order if len(text) > 1] + [text for text, _ in order if len(text) == 1]
    ids = {text: i for i, text in enumerate(pieces)}
    merges = []
    for text in pieces[len(specials) + 256:]:  # best first: the order of the ids
        local = [(text[:k], text[k:]) for k in range(1, len(text)) if text[:k] in ids and text[k:] in ids]
        merges += sorted(local, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
    tokenizer = Tokenizer(models.BPE(ids, merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    space = normalizers.Replace(" ", "\u2581")
    tokenizer.normalizer = (normalizers.Sequence([normalizers.Prepend("\u2581"), space]) if prefix
                            else space)
    if not prefix:
        tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(),
                                           decoders.Fuse()])
    tokenizer.add_special_tokens([AddedToken(text, normalized=False, special=True) for text in specials])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<bos> $A", pair="<bos> $A <bos> $B", special_tokens=[("<bos>", ids["<bos>"])])
    return tokenizer


def wrap(tokenizer, **names):
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def llama():
    """Llama 3.1's scaling and cut, biases nowhere, an untied head, two shards."""
    tokenizer = wrap(byte_level(LLAMA3, 400, ["<|bos|>", "<|im_start|>", "<|im_end|>", "<|eot_id|>"],
                                bos="<|bos|>", ignore_merges=True),
                     bos_token="<|bos|>", eos_token="<|im_end|>", chat_template=TEMPLATE)
    config = transformers.LlamaConfig(
        hidden_size=64, num_hidden_layers=2, intermediate_size=96, num_attention_heads=4,
        num_key_value_heads=2, head_dim=32, vocab_size=len(tokenizer), max_position_embeddings=512,
        rms_norm_eps=1e-5, tie_word_embeddings=False, bos_token_id=0, eos_token_id=2,
        rope_parameters={"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0,
                         "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                         "original_max_position_embeddings": 64})
    generation = transformers.GenerationConfig(do_sample=True, temperature=0.6, top_p=0.9, top_k=20,
                                               bos_token_id=0, eos_token_id=[2, 3])
    return transformers.LlamaForCausalLM(config), tokenizer, generation, torch.bfloat16, "120KB"


def smollm2():
    """SmolLM2's: tied, digits one by one, no token around a text, float16."""
    tokenizer = wrap(byte_level(None, 380, ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]),
                     bos_token="<|im_start|>", eos_token="<|im_end|>", chat_template=TEMPLATE)
    config = transformers.LlamaConfig(
        hidden_size=48, num_hidden_layers=3, intermediate_size=80, num_attention_heads=3,
        num_key_value_heads=1, vocab_size=len(tokenizer) + 5, max_position_embeddings=256,
        rms_norm_eps=1e-5, tie_word_embeddings=True, bos_token_id=1, eos_token_id=2,
        rope_parameters={"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0})
    return transformers.LlamaForCausalLM(config), tokenizer, None, torch.float16, "5GB"


def gemma3():
    """Gemma 3's: windows of 16, two bases of the rotation, norms less 1, a vocabulary of characters."""
    tokenizer = wrap(space_marked(700, ["<pad>", "<eos>", "<bos>", "<unk>", "<start_of_turn>",
                                        "<end_of_turn>"], prefix=False),
                     bos_token="<bos>", eos_token="<eos>", pad_token="<pad>", unk_token="<unk>")
    config = transformers.Gemma3TextConfig(
        hidden_size=64, num_hidden_layers=3, intermediate_size=96, num_attention_heads=2,
        num_key_value_heads=1, head_dim=32, vocab_size=len(tokenizer), max_position_embeddings=256,
        query_pre_attn_scalar=32, sliding_window=16, rms_norm_eps=1e-6,
        layer_types=["sliding_attention", "sliding_attention", "full_attention"],
        bos_token_id=2, eos_token_id=1, pad_token_id=0)
    model = transformers.Gemma3ForCausalLM(config)
    generation = transformers.GenerationConfig(bos_token_id=2, eos_token_id=[1, 5], pad_token_id=0)
    return model, tokenizer, generation, torch.float32, "5GB"


def randomise(model, seed):
    """Weights of a size that makes the answers differ: those of an untrained model hardly do."""
    generator = torch.Generator().manual_seed(seed)
    for name, values in model.named_parameters():
        spread = 0.3 if "norm" in name else 1.0 / values.shape[-1] ** 0.5
        values.data += spread * torch.randn(values.shape, generator=generator)


def golden(model, tokenizer):
    prompt = tokenizer.encode("Why is the sky blue? It's 1234 things that we know of the light, and more")
    prompt = (prompt * 2)[:48]
    with torch.no_grad():
        logits = model(torch.tensor([prompt])).logits[0].float()
        ids = list(prompt)
        for _ in range(16):
            last = model(torch.tensor([ids])).logits[0, -1]
            ids.append(int(last[:len(tokenizer)].argmax()))  # ids without a token are not drawn
    return {"ids": [{"text": text, "plain": tokenizer.encode(text, add_special_tokens=False),
                     "added": tokenizer.encode(text)} for text in STRINGS],
            "prompt": prompt, "greedy": ids[len(prompt):],
            "logits": [row.numpy().astype("<f4").tobytes().hex() for row in logits[::8]]}


def make(name, build, seed):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    model, tokenizer, generation, dtype, shard = build()
    randomise(model, seed)
    model = model.to(dtype)
    if generation is not None:
        model.generation_config = generation
    model.save_pretrained(folder, max_shard_size=shard)
    tokenizer.save_pretrained(folder)
    reference = type(model).from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    (folder / "golden.json").write_text(
        json.dumps(golden(reference.eval(), tokenizer), ensure_ascii=False, indent=0) + "\n")


CHECKPOINTS = {"llama": llama, "smollm2": smollm2, "gemma3": gemma3}

if __name__ == "__main__":
    for number, (name, build) in enumerate(CHECKPOINTS.items()):
        if not sys.argv[1:] or name in sys.argv[1:]:
            torch.manual_seed(number)
            make(name, build, number)
