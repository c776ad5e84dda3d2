"""Random weights with which a wrong program does not come near the reference.

What transformers draws is no test: attention is almost even, biases are 0, gains are 1. Here no bias is 0 and no gain 1,
embeddings are small (so that another epsilon shows), each head has its own strength, and queries are scaled until the
largest weight of an attention row is 0.35 to 0.65 on average over a row's head ("peaked").

Each tensor comes from its own stream of NumPy's MT19937, seeded by the model's and the tensor's name.
"""
import math
import zlib

import numpy as np
import torch
from transformers.pytorch_utils import Conv1D

import record

BEFORE_VOCABULARY = ("transform.LayerNorm", "vocab_layer_norm", "lm_head.layer_norm", "predictions.LayerNorm", "head.norm",
                     "ln_f", "generator_predictions.LayerNorm")
SMALL = ("transform.dense", "vocab_transform", "lm_head.dense", "predictions.dense", "head.dense")
# Sums without a norm after them: smaller, so that the state does not grow from layer to layer.
INTO_STREAM = ("attn.Wo.weight", "mlp.Wo.weight", "o_proj.weight", "down_proj.weight", "c_proj.weight", "dense_4h_to_h.weight")
# Around the activation: inputs about -1.5, where the forms of gelu differ most for their size, and large weights after it.
BEFORE_ACTIVATION = ("intermediate.dense", "lin1", "ffn", "c_fc", "dense_h_to_4h")
AFTER_ACTIVATION = ("lin2", "ffn_output", "layer.0.output.dense", "layer.1.output.dense", "layer.2.output.dense")


def stream(model_name, tensor_name):
    return np.random.RandomState(zlib.crc32(f"{model_name}/{tensor_name}".encode()))


def drawn(seed, name, shape, std, mean=0.0):
    return stream(seed, name).randn(*shape) * std + mean


def gain(seed, name, shape):
    strong = 3.0 if name.removesuffix(".weight").endswith(BEFORE_VOCABULARY) else 1.0
    part = 0.25 * stream(seed, name).randn(*shape)
    part = np.where(np.abs(part) < 0.05, np.copysign(0.05, part), part)  # bfloat16 would round less to 1
    return strong * np.clip(1.0 + part, 0.4, 1.8)


def bias_size(name):
    if any(word in name for word in ("predictions.bias", "lm_head.bias", "decoder.bias", "vocab_projector.bias", "classifier.bias")):
        return 0.5
    if any(word in name for word in ("query", "key", "q_lin", "k_lin", "q_proj", "k_proj", ".q.", ".k.", "c_attn", "Wqkv", "query_key_value")):
        return 0.3
    return 0.02 if any(word in name for word in SMALL) else 0.15


def values(seed, name, owner, shape):
    """What one parameter gets, by what it is for."""
    part = name.removesuffix(".weight").removesuffix(".bias")
    if name.endswith(".bias") and part.endswith(BEFORE_ACTIVATION):
        return drawn(seed, name, shape, 0.5, mean=-1.5)
    if name.endswith("bias") and "relative" not in name:
        return drawn(seed, name, shape, bias_size(name)) + np.where(drawn(seed, name + "/sign", shape, 1.0) < 0, -0.02, 0.02)
    if "relative_attention_bias" in name:
        return drawn(seed, name, shape, 1.0)
    if isinstance(owner, torch.nn.Embedding):
        return drawn(seed, name, shape, 0.04 if "position" in name or "type" in name or "wpe" in name else 0.05)
    if len(shape) == 1:
        return gain(seed, name, shape)
    fan_in = shape[0] if isinstance(owner, Conv1D) else shape[1]
    if any(word in name for word in SMALL) and "discriminator" not in name:
        return drawn(seed, name, shape, 0.05)
    std = 0.7 if name.endswith((*INTO_STREAM, "pooler.dense.weight", "pooler.weight")) else 2.5 if part.endswith(AFTER_ACTIVATION) else 1.3
    return drawn(seed, name, shape, std / math.sqrt(fan_in))


def fill(model, seed):
    """Every parameter of a model anew. Shared ones (a tied decoder) are drawn once."""
    owners = dict(model.named_modules())
    with torch.no_grad():
        for name, p in model.named_parameters():
            owner = owners[name.rpartition(".")[0]]
            p.copy_(torch.from_numpy(values(seed, name, owner, tuple(p.shape)).astype(np.float32)))


# ---------------------------------------------------------------- peaked attention

def largest(scores, seen):
    """Mean largest weight of the rows that see two keys or more. scores [..., T, T], seen [T, T] of booleans or None."""
    seen = torch.ones(scores.shape[-2:], dtype=torch.bool) if seen is None else seen
    rows = seen.sum(-1) > 1
    return torch.softmax(scores.masked_fill(~seen, -math.inf), -1).amax(-1)[..., rows].mean().item()


def strength(scores, seen, wanted):
    """The factor on the scores that gives the wanted mean largest weight, to three digits."""
    low, high = 0.01, 100.0
    for _ in range(40):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if largest(scores * middle, seen) < wanted else (low, middle)
    return float(f"{math.sqrt(low * high):.3g}")


def scale_query(model, layer, head, width, factor):
    """Multiplies what makes the queries of one head; head None: of all heads at once."""
    path, layout = record.places(model).query
    module = record.part(layer, path)
    first = 0 if head is None else head * width * (3 if layout == "by head" else 1)
    rows = slice(first, first + width) if head is not None else slice(None)
    with torch.no_grad():
        if layout == "columns":
            module.weight[:, rows] *= factor
        else:
            module.weight[rows] *= factor
        if getattr(module, "bias", None) is not None:
            module.bias[rows] *= factor


def sharpen(model, ids, types):
    """Module by module, since what a layer sees depends on those before. Layers that share weights are set together, in a few rounds."""
    modules = record.layers_of(model)
    uses = model.config.num_hidden_layers // len(modules)
    recorder = record.Recorder(model)
    for i, module in enumerate(modules):
        for _ in range(1 if uses == 1 else 4):
            out = recorder.run(ids, types)
            layers = range(i * uses, (i + 1) * uses)
            scores = torch.stack([out[f"layer.{n}.scores"] for n in layers], 1)
            sharpen_heads(model, module, scores, recorder.seen[i * uses], out[f"layer.{i * uses}.q"].shape[-1])


def sharpen_heads(model, module, scores, seen, width):
    """scores [H, uses, T, T]. Each head has a strength of its own, but where all share one gain (Qwen3)."""
    heads = len(scores)
    wanted = [0.5] if heads == 1 else [0.35 + 0.3 * h / (heads - 1) for h in range(heads)]
    if record.places(model).query[1] == "norm":
        factor = sum(strength(s, seen, 0.5) for s in scores) / heads
        return scale_query(model, module, None, width, float(f"{factor:.3g}"))
    for h in range(heads):
        scale_query(model, module, h, width, strength(scores[h], seen, wanted[h]))
