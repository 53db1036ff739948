#!/usr/bin/env python3
"""Makes tests/oracle/families: tiny random checkpoints of every family, and what they answer.

Usage: python3 tests/oracle/families.py LLAMA_CPP [NAME...]
LLAMA_CPP is the source of llama.cpp (build/test-data/llama.cpp after tests/data/fetch), whose
converter writes the GGUF file. Needs torch, transformers, numpy and sentencepiece; tests need none of them.

A checkpoint NAME becomes NAME.gguf (matrices in F16, which the weights are rounded to beforehand)
and NAME.json: `logits` of transformers' own forward in float32 for POSITIONS ids, as hexadecimal of little-endian
f32, and `greedy`, the ids that follow the first PROMPT ids.
"""
import json
import logging
import pathlib
import sys
import tempfile

import torch
import transformers

HERE = pathlib.Path(__file__).resolve().parent / "families"
POSITIONS = 48
PROMPT = 8
GREEDY = 24
VOCABULARY = 96

# Sizes are odd where a family lets them be: heads that are not the width's, a group of three queries.
SIZES = dict(vocab_size=VOCABULARY, hidden_size=48, intermediate_size=80, num_hidden_layers=4, num_attention_heads=6,
             num_key_value_heads=2, max_position_embeddings=128, bos_token_id=1, eos_token_id=2, pad_token_id=0)


def sized(**more):
    return {**SIZES, **more}


def rope(theta, **more):
    return {"rope_parameters": {"rope_type": "default", "rope_theta": theta, **more}}


CHECKPOINTS = {
    "llama": ("LlamaConfig", sized(**rope(5e5), tie_word_embeddings=True)),
    "llama3": ("LlamaConfig", sized(**rope(5e5, rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                                           original_max_position_embeddings=32))),
    "llama-yarn": ("LlamaConfig", sized(**rope(1e4, rope_type="yarn", factor=4.0, original_max_position_embeddings=32))),
    "llama-linear": ("LlamaConfig", sized(attention_bias=True, mlp_bias=True, **rope(1e4, rope_type="linear", factor=4.0))),
    "internlm3": ("InternLM3Config", sized(head_dim=8, qkv_bias=True, bias=True, **rope(1e6))),
    "mistral": ("MistralConfig", sized(head_dim=16, sliding_window=None, **rope(1e4))),
    "qwen2": ("Qwen2Config", sized(**rope(1e6), tie_word_embeddings=True)),
    "qwen3": ("Qwen3Config", sized(head_dim=16, **rope(1e6))),
    "gemma": ("GemmaConfig", sized(head_dim=16, **rope(1e4))),
    "gemma2": ("Gemma2Config", sized(head_dim=16, sliding_window=16, query_pre_attn_scalar=16, **rope(1e4))),
    "gemma3": ("Gemma3TextConfig", sized(head_dim=16, sliding_window=16, query_pre_attn_scalar=16, num_hidden_layers=7)),
    "phi3": ("Phi3Config", sized(**rope(1e4))),
    "phi4-mini": ("Phi3Config", sized(tie_word_embeddings=True, partial_rotary_factor=0.5,
                                      **rope(1e4, partial_rotary_factor=0.5))),
    "smollm3": ("SmolLM3Config", sized(no_rope_layer_interval=4, use_sliding_window=False, **rope(2e6))),
    "seed-oss": ("SeedOssConfig", sized(head_dim=16, attention_bias=True, attention_out_bias=False, **rope(1e7))),
    "ernie4.5": ("Ernie4_5Config", sized(head_dim=16, use_bias=False, **rope(5e5))),
    "exaone4": ("Exaone4Config", sized(sliding_window=16, sliding_window_pattern=4, **rope(1e6))),
    "glm4": ("Glm4Config", sized(head_dim=16, **rope(1e4, partial_rotary_factor=0.5))),
    "granite": ("GraniteConfig", sized(embedding_multiplier=12.0, residual_multiplier=0.22, attention_multiplier=0.1,
                                       logits_scaling=8.0, **rope(1e4))),
    "olmo2": ("Olmo2Config", sized(**rope(5e5))),
    "olmo3": ("Olmo3Config", sized(sliding_window=16, **rope(5e5))),
    "command-r": ("CohereConfig", sized(logit_scale=0.25, **rope(5e5))),
    "cohere2": ("Cohere2Config", sized(logit_scale=0.25, head_dim=8, sliding_window=16, rotary_pct=1.0, **rope(5e4))),
    "stablelm": ("StableLmConfig", sized(use_qkv_bias=True, hidden_size=96, **rope(1e4, partial_rotary_factor=0.25))),
    "starcoder2": ("Starcoder2Config", sized(sliding_window=None, **rope(1e5))),
    "arcee": ("ArceeConfig", sized(head_dim=8, **rope(1e4))),
    "nemotron": ("NemotronConfig", sized(head_dim=8, **rope(1e4, partial_rotary_factor=0.5))),
    "glm4": ("Glm4Config", sized(head_dim=16, attention_bias=True, **rope(1e4, partial_rotary_factor=0.5))),
    "olmo": ("OlmoConfig", sized(**rope(1e4))),
    "hunyuan-dense": ("HunYuanDenseV1Config", sized(head_dim=16, **rope(1e4))),
}


def fill(model, seed):
    """Weights that keep every part of the forward alive, exact in f16."""
    generator = torch.Generator().manual_seed(seed)

    def normal(shape, mean, spread):
        return (mean + spread * torch.randn(shape, generator=generator)).half().float()

    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if tensor.dim() == 1 and name.endswith("bias"):
                tensor.copy_(normal(tensor.shape, 0.0, 0.3))
            elif tensor.dim() == 1:  # norms: those of 1 + w begin at 0
                zero = model.config.model_type.startswith(("gemma", "nemotron"))
                tensor.copy_(normal(tensor.shape, 0.0 if zero else 1.0, 0.2))
            elif "embed" in name:
                tensor.copy_(normal(tensor.shape, 0.0, 0.7))
            else:
                tensor.copy_(normal(tensor.shape, 0.0, 1.2 / tensor.shape[-1] ** 0.5))


def ids_of(count):
    return [(37 * i + 11) % VOCABULARY for i in range(count)]


def answers(model):
    model.eval()
    with torch.no_grad():
        logits = model(torch.tensor([ids_of(POSITIONS)])).logits[0].float()
        ids = ids_of(PROMPT)
        for _ in range(GREEDY):
            ids.append(int(model(torch.tensor([ids]), use_cache=False).logits[0, -1].argmax()))
    return {"logits": logits.numpy().astype("<f4").tobytes().hex(), "greedy": ids[PROMPT:]}


def convert(llama_cpp, folder, architecture, target):
    """The GGUF file as llama.cpp's converter writes it, but for the tokenizer, which there is none of."""
    sys.path.insert(0, str(llama_cpp))
    sys.path.insert(0, str(llama_cpp / "gguf-py"))
    import gguf
    from conversion import get_model_class

    kind = get_model_class(architecture)
    kind.set_vocab = lambda self: None
    logging.disable(logging.INFO)
    kind(folder, gguf.LlamaFileType.MOSTLY_F16, target, model_name="tiny").write()


def make(llama_cpp, name):
    config_name, sizes = CHECKPOINTS[name]
    config = getattr(transformers, config_name)(**sizes)
    config._attn_implementation = "eager"
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32, attn_implementation="eager")
    fill(model, seed=len(name))
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        (pathlib.Path(folder) / "tokenizer.json").write_text(json.dumps(
            {"model": {"vocab": ids_of(VOCABULARY)}, "added_tokens": []}))  # counted by some
        convert(llama_cpp, pathlib.Path(folder), type(model).__name__, HERE / f"{name}.gguf")
    (HERE / f"{name}.json").write_text(json.dumps(answers(model)) + "\n")


def main():
    llama_cpp = pathlib.Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or CHECKPOINTS:
        try:
            make(llama_cpp, name)
            print(name)
        except Exception as error:  # the others are made all the same
            print(f"{name}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
