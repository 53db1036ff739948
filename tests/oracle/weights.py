"""A GGUF file as a float32 model of `transformers`: dequantised weights, nothing approximated.

Values the files do not carry: Gemma 3's base of 10000 on sliding layers, one full layer in six,
query_pre_attn_scalar equal to the head width (Gemma 3's published configuration), tied output heads (no output.weight
in either file).
"""

import pathlib

import gguf
import numpy
import torch
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig, LlamaForCausalLM

DATA = pathlib.Path(__file__).resolve().parents[2] / "build" / "test-data"
FILES = {"smollm2": "SmolLM2-135M-Instruct.Q4_1.gguf", "gemma3": "gemma-3-270m-q4_k_m.gguf"}

LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
LLAMA_NAMES = LAYER_NAMES | {"ffn_norm": "post_attention_layernorm"}
GEMMA_NAMES = LAYER_NAMES | {
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}


def path(model):
    return DATA / FILES[model]


def reader(model):
    return gguf.GGUFReader(path(model))


def metadata(source):
    return {key: field.contents() for key, field in source.fields.items()}


def transformers_name(name, layer_names):
    if name == "token_embd.weight":
        return "model.embed_tokens.weight"
    if name == "output_norm.weight":
        return "model.norm.weight"
    _, layer, part, _ = name.split(".")
    return f"model.layers.{layer}.{layer_names[part]}.weight"


def unpermute(weight, heads):
    """Rows 2i, 2i+1 of a head (GGUF's Llama) back to rows i, i + half (transformers)."""
    rows, cols = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, cols).swapaxes(1, 2).reshape(rows, cols)


def dequantised(source):
    for tensor in source.tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        shape = [int(size) for size in reversed(tensor.shape)]
        yield tensor.name, numpy.array(values, dtype=numpy.float32).reshape(shape)


def llama_config(meta):
    heads = meta["llama.attention.head_count"]
    return LlamaConfig(
        vocab_size=meta["llama.vocab_size"],
        hidden_size=meta["llama.embedding_length"],
        intermediate_size=meta["llama.feed_forward_length"],
        num_hidden_layers=meta["llama.block_count"],
        num_attention_heads=heads,
        num_key_value_heads=meta["llama.attention.head_count_kv"],
        head_dim=meta["llama.rope.dimension_count"],
        max_position_embeddings=meta["llama.context_length"],
        rms_norm_eps=meta["llama.attention.layer_norm_rms_epsilon"],
        rope_parameters={"rope_type": "default", "rope_theta": meta["llama.rope.freq_base"]},
        hidden_act="silu",
        attention_bias=False,
        mlp_bias=False,
        tie_word_embeddings=True,
    )


def gemma_config(meta):
    layers = meta["gemma3.block_count"]
    return Gemma3TextConfig(
        vocab_size=len(meta["tokenizer.ggml.tokens"]),
        hidden_size=meta["gemma3.embedding_length"],
        intermediate_size=meta["gemma3.feed_forward_length"],
        num_hidden_layers=layers,
        num_attention_heads=meta["gemma3.attention.head_count"],
        num_key_value_heads=meta["gemma3.attention.head_count_kv"],
        head_dim=meta["gemma3.attention.key_length"],
        max_position_embeddings=meta["gemma3.context_length"],
        rms_norm_eps=meta["gemma3.attention.layer_norm_rms_epsilon"],
        query_pre_attn_scalar=meta["gemma3.attention.key_length"],
        sliding_window=meta["gemma3.attention.sliding_window"],
        layer_types=["full_attention" if n % 6 == 5 else "sliding_attention" for n in range(layers)],
        rope_parameters={
            "full_attention": {"rope_type": "default", "rope_theta": meta["gemma3.rope.freq_base"]},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        },
        hidden_activation="gelu_pytorch_tanh",
        attn_logit_softcapping=None,
        final_logit_softcapping=None,
        attention_bias=False,
        tie_word_embeddings=True,
    )


def llama_state(source, meta):
    heads = {
        "attn_q": meta["llama.attention.head_count"],
        "attn_k": meta["llama.attention.head_count_kv"],
    }
    for name, values in dequantised(source):
        part = name.split(".")[2] if name.startswith("blk.") else ""
        if part in heads:
            values = unpermute(values, heads[part])
        yield transformers_name(name, LLAMA_NAMES), values


def gemma_state(source, meta):
    for name, values in dequantised(source):
        if name.endswith("_norm.weight"):
            values = values - numpy.float32(1)  # the file holds weight + 1, transformers adds it
        yield transformers_name(name, GEMMA_NAMES), values


def load(model):
    """The model, in evaluation mode, float32, with eager attention; every tensor is used and none is missing."""
    source = reader(model)
    meta = metadata(source)
    if model == "smollm2":
        config, state, kind = llama_config(meta), llama_state(source, meta), LlamaForCausalLM
    else:
        config, state, kind = gemma_config(meta), gemma_state(source, meta), Gemma3ForCausalLM
    config._attn_implementation = "eager"
    network = kind(config).to(torch.float32)
    tensors = {name: torch.from_numpy(numpy.ascontiguousarray(v)) for name, v in state}
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"]
    network.load_state_dict(tensors, strict=True)
    network.tie_weights()
    return network.eval()
