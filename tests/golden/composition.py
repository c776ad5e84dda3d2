"""Composition scores (Elhage et al. 2021) from the weights of Hugging Face transformers' modules in float64, for
tests/js/composition.test.mjs: of each family the model with most layers. python composition.py writes composition.json.

By whole matrices [D, D]: with B = W_O W_V of a head and A of a later one, its W_Q^T W_K for keys, W_K^T W_Q for queries, W_O W_V for
values, the Frobenius norm of A N B / (that of A times that of N B). A norm before a map is part of the map; N is the norms after
the sums between the two (BERT); a LayerNorm's is diag(gain) (I - 1/D), an RMS norm's diag(gain). W_O is taken without what LayerNorms
take away. Rotations are left out. [L, H, L, H]: of the head that writes, of the head that reads; 0 where that is not later."""
import json

import torch

import models
import produce
import record

BERT = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
PARTS = {  # q, k, v, o; or all of q, k and v in one, and o
    "bert": BERT, "roberta": BERT, "camembert": BERT, "xlm-roberta": BERT, "electra": BERT,
    "albert": ("attention.query", "attention.key", "attention.value", "attention.dense"),
    "distilbert": ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin"),
    "mpnet": ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o"),
    "gpt2": ("attn.c_attn", "attn.c_proj"), "modernbert": ("attn.Wqkv", "attn.Wo"),
    "gpt_neox": ("attention.query_key_value", "attention.dense"),
}
LLAMA = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj")
BEFORE = {"gpt2": "ln_1", "modernbert": "attn_norm", "gpt_neox": "input_layernorm"}
AFTER = {
    "albert": ("attention.LayerNorm", "full_layer_layer_norm"), "distilbert": ("sa_layer_norm", "output_layer_norm"),
    "mpnet": ("attention.LayerNorm", "output.LayerNorm"),
}
RMS = ("llama", "mistral", "qwen2", "qwen3")


def through(norm, rms):
    """[D, D] of a norm, sigma aside."""
    gain = norm.weight
    size = len(gain)
    centre = torch.zeros(size, size) if rms else torch.full((size, size), 1 / size)
    return gain.diag() @ (torch.eye(size) - centre.double())


def rows_of(layer, kind, heads):
    """W_Q, W_K, W_V as [H or fewer, d, D], W_O as [H, D, d]."""
    *inputs, output = (record.part(layer, path).weight for path in PARTS.get(kind, LLAMA))
    if kind == "gpt2":
        inputs, output = [inputs[0].T], output.T
    width = output.shape[1] // heads
    if kind == "gpt_neox":
        inputs = inputs[0].unflatten(0, (heads, 3, width)).unbind(1)
    elif len(inputs) == 1:
        inputs = inputs[0].unflatten(0, (3, heads, width)).unbind(0)
    else:
        inputs = [x.unflatten(0, (-1, width)) for x in inputs]
    return [x.repeat_interleave(heads // len(x), 0) for x in inputs], output.unflatten(1, (heads, width)).transpose(0, 1)


class Layer:
    """W_Q^T W_K and W_O W_V of each head, and what norms there are."""

    def __init__(self, layer, kind, heads):
        (q, k, v), o = rows_of(layer, kind, heads)
        rms = kind in RMS
        if kind == "qwen3":
            q, k = q * layer.self_attn.q_norm.weight[:, None], k * layer.self_attn.k_norm.weight[:, None]
        first = kind in RMS or kind in BEFORE
        norm = record.part(layer, BEFORE.get(kind, "input_layernorm")) if first else None
        if norm is not None and hasattr(norm, "weight"):  # the first one of ModernBERT is none
            q, k, v = (x @ through(norm, rms) for x in (q, k, v))
        if not rms:
            o = o - o.mean(1, keepdim=True)
        self.qk, self.ov = q.transpose(1, 2) @ k, o @ v
        names = () if first else AFTER.get(kind, ("attention.output.LayerNorm", "output.LayerNorm"))
        self.after = [through(record.part(layer, name), False) for name in names]


def layers_of(model):
    """As they are run: ALBERT's several times."""
    config, layers = model.config, list(record.layers_of(model))
    if config.model_type != "albert":
        return layers
    inner, of_group = config.inner_group_num, config.num_hidden_layers / config.num_hidden_groups
    return [layers[int(i / of_group) * inner + n] for i in range(config.num_hidden_layers) for n in range(inner)]


def composed(model):
    kind, heads = model.config.model_type, model.config.num_attention_heads
    layers = [Layer(layer, kind, heads) for layer in layers_of(model)]
    found = {way: torch.zeros(len(layers), heads, len(layers), heads).double() for way in ("queries", "keys", "values")}
    for i, first in enumerate(layers):
        moved = first.ov
        for j in range(i + 1, len(layers)):
            for norm in layers[j - 1].after:
                moved = norm @ moved
            reads = {"queries": layers[j].qk.transpose(1, 2), "keys": layers[j].qk, "values": layers[j].ov}
            for way, a in reads.items():
                both = torch.einsum("hxy,gyz->ghxz", a, moved).flatten(2).norm(dim=2)
                found[way][i, :, j] = both / (moved.flatten(1).norm(dim=1)[:, None] * a.flatten(1).norm(dim=1)[None])
    return {way: [round(float(x), 8) for x in scores.flatten()] for way, scores in found.items()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    deepest = {}
    for recipe in models.RECIPES:
        if recipe.length >= 512:
            continue
        model = record.Recorder(produce.opened(recipe)).model
        kind, depth = model.config.model_type, len(layers_of(model))
        if depth > deepest.get(kind, (1, None))[0]:
            deepest[kind] = depth, recipe.name, model
    answers = {name: composed(model.double()) for _, name, model in deepest.values()}
    with open("composition.json", "w") as file:
        json.dump(answers, file, separators=(",", ":"))
        file.write("\n")
    print({name: max(max(x) for x in one.values()) for name, one in answers.items()})
