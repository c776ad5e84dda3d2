"""Deliberate mistakes in a pass: what a program that computes these models can get wrong. check.py measures how far each takes
the tensors of a dump away from the reference; the weights are good enough when none of them can be overlooked.

A mistake changes an opened model in place, and may return what to replace elsewhere: (object, attribute, value).
"""
import itertools
import math
from dataclasses import dataclass

import torch
from transformers.activations import GELUActivation, NewGELUActivation
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

import record

ROTARY = ("llama-next", "mistral-next", "gpt-neox-next", "qwen2-next", "qwen3-next", "modernbert-masked")
GROUPED = ("llama-next", "qwen3-next")
MODERN = ("modernbert-masked",)
RMS = ("llama-next", "mistral-next", "qwen2-next", "qwen3-next")
MISTRAL = ("mistral-next",)
NEOX = ("gpt-neox-next",)
SCALED = ("llama-linear", "llama-llama3", "mistral-dynamic", "qwen2-yarn")
POST_NORM = ("bert-width-24", "bert-width-8", "distilbert-masked", "roberta-masked", "electra-generator", "albert-groups")


@dataclass(frozen=True)
class Mistake:
    name: str
    models: tuple
    make: object


MISTAKES = []


def mistake(name, *models):
    return lambda make: MISTAKES.append(Mistake(name, models, make)) or make


def replace_rotation(model, function):
    return [(record.modules_of(model.config.model_type), "apply_rotary_pos_emb", function)]


def swap(a, b):
    with torch.no_grad():
        kept = a.clone()
        a.copy_(b)
        b.copy_(kept)


def set_weight(module, value, name="weight"):
    with torch.no_grad():
        getattr(module, name).copy_(value)


# ---------------------------------------------------------------- rotation

@mistake("no rotation", *ROTARY)
def _(model):
    return replace_rotation(model, lambda q, k, cos, sin, unsqueeze_dim=1: (q, k))


@mistake("pairs (2i, 2i+1) for (i, i+d/2)", *ROTARY)
def _(model):
    def turned(x, cos, sin):
        half = cos.shape[-1] // 2
        x, left = x[..., :2 * half], x[..., 2 * half:]
        c, s = (t[..., :half].repeat_interleave(2, -1).unsqueeze(1) for t in (cos, sin))
        return torch.cat((x * c + torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2) * s, left), -1)
    return replace_rotation(model, lambda q, k, cos, sin, unsqueeze_dim=1: (turned(q, cos, sin), turned(k, cos, sin)))


@mistake("rotation the other way round", *ROTARY)
def _(model):
    return replace_rotation(model, lambda q, k, cos, sin, unsqueeze_dim=1: record.rotate(q, k, cos, -sin))


@mistake("another theta (10,000 for 1,000,000 or the reverse)", *RMS)
def _(model):
    rotary, theta = model.base_model.rotary_emb, model.config.rope_parameters["rope_theta"]
    other = 1e4 if theta > 1e5 else 1e6
    rotary.inv_freq = rotary.inv_freq ** (math.log(other) / math.log(theta))


@mistake("local and global theta exchanged", *MODERN)
def _(model):
    swap(model.model.rotary_emb.full_attention_inv_freq, model.model.rotary_emb.sliding_attention_inv_freq)


@mistake("positions of the rotation from 1 in q only", *ROTARY)
def _(model):
    def turned(q, k, cos, sin, unsqueeze_dim=1):
        return record.rotate(q, q, cos.roll(-1, 1), sin.roll(-1, 1))[0], record.rotate(k, k, cos, sin)[0]
    return replace_rotation(model, turned)


@mistake("q and k normed after the rotation", "qwen3-next")
def _(model):
    norms = []
    for layer in model.model.layers:
        attn = layer.self_attn
        norms.append((attn.q_norm, attn.k_norm))
        attn.q_norm, attn.k_norm = torch.nn.Identity(), torch.nn.Identity()
    calls = itertools.cycle(norms)

    def turned(q, k, cos, sin, unsqueeze_dim=1):
        q, k = record.rotate(q, k, cos, sin)
        of_q, of_k = next(calls)
        return of_q(q), of_k(k)
    return replace_rotation(model, turned)


@mistake("q and k not normed", "qwen3-next")
def _(model):
    for layer in model.model.layers:
        layer.self_attn.q_norm, layer.self_attn.k_norm = torch.nn.Identity(), torch.nn.Identity()


@mistake("each head rotated whole, with the angles of a part", *NEOX)
def _(model):
    def turned(q, k, cos, sin, unsqueeze_dim=1):
        more = q.shape[-1] // cos.shape[-1]
        return record.rotate(q, k, cos.repeat(1, 1, more), sin.repeat(1, 1, more))
    return replace_rotation(model, turned)


@mistake("the last neurons of each head rotated for the first", *NEOX)
def _(model):
    def turned(q, k, cos, sin, unsqueeze_dim=1):
        return [x.flip(-1) for x in record.rotate(q.flip(-1), k.flip(-1), cos, sin)]
    return replace_rotation(model, turned)


@mistake("rotation not scaled", *SCALED)
def _(model):
    rotary = model.base_model.rotary_emb
    plain, size = rotary.compute_default_rope_parameters(model.config)
    rotary.inv_freq, rotary.attention_scaling = plain, size
    return [(rotary, "rope_type", "default")]


@mistake("dynamic base of the longest text for every one", "mistral-dynamic")
def _(model):
    rotary = model.base_model.rotary_emb
    rotary.inv_freq = ROPE_INIT_FUNCTIONS["dynamic"](model.config, seq_len=41)[0]
    return [(rotary, "rope_type", "default")]


@mistake("yarn without its size of q and k", "qwen2-yarn")
def _(model):
    model.base_model.rotary_emb.attention_scaling = 1.0


def rescaled(model, **changed):
    rotary = model.base_model.rotary_emb
    model.config.rope_parameters.update(changed)
    rotary.inv_freq = ROPE_INIT_FUNCTIONS[rotary.rope_type](model.config)[0]


@mistake("yarn's ramp from 32 turns for 4", "qwen2-yarn")
def _(model):
    rescaled(model, beta_fast=32.0)


@mistake("yarn's ramp between fractions of neurons", "qwen2-yarn")
def _(model):
    rescaled(model, truncate=False)


@mistake("llama3 without the waves between", "llama-llama3")
def _(model):
    rescaled(model, high_freq_factor=1.0001)


@mistake("llama3's factors exchanged", "llama-llama3")
def _(model):
    rescaled(model, low_freq_factor=4.0, high_freq_factor=1.0)


# ---------------------------------------------------------------- heads and what they see

@mistake("key head h mod K for h div (H/K)", *GROUPED)
def _(model):
    return [(record.attention, "spread", lambda x, heads: x.repeat(1, heads // x.shape[1], 1, 1))]


@mistake("scores divided by √(D/H) for √d", "qwen3-next")
def _(model):
    for layer in model.model.layers:
        layer.self_attn.scaling = (model.config.hidden_size / model.config.num_attention_heads) ** -0.5


@mistake("scores divided by √D for √d", *POST_NORM)
def _(model):
    for module in model.modules():
        if hasattr(module, "scaling"):
            module.scaling = (module.attention_head_size * model.config.num_attention_heads) ** -0.5


def see(function):
    return [(record.attention, "visible", function)]


def window(module, mask, more):
    """The mask of a local layer with another reach, or of a global one with a reach of its own."""
    reach = module.config.local_attention // 2 + more
    place = torch.arange(mask.shape[-1])
    return ((place[:, None] - place[None, :]).abs() <= reach)[None, None]


@mistake("window wider by 1", *MODERN)
def _(model):
    return see(lambda module, mask: window(module, mask, 1) if module.sliding_window else mask)


def looking_back(model, more):
    reach = model.config.sliding_window + more

    def visible(module, mask):
        place = torch.arange(mask.shape[-1])
        away = place[:, None] - place[None, :]
        return ((away >= 0) & (away < reach))[None, None]
    return see(visible)


@mistake("window of the keys before wider by 1", *MISTRAL)
def _(model):
    return looking_back(model, 1)


@mistake("window of the keys before narrower by 1", *MISTRAL)
def _(model):
    return looking_back(model, -1)


@mistake("no window of the keys before", *MISTRAL)
def _(model):
    return looking_back(model, 1000)


@mistake("window narrower by 1", *MODERN)
def _(model):
    return see(lambda module, mask: window(module, mask, -1) if module.sliding_window else mask)


@mistake("window on the global layers too", *MODERN)
def _(model):
    return see(lambda module, mask: window(module, mask, 0))


@mistake("no window", *MODERN)
def _(model):
    return see(lambda module, mask: None)


@mistake("global every third layer counted from 1", *MODERN)
def _(model):
    def shifted(module, mask):
        return None if module.layer_idx % 3 == 2 else window(module, mask, 0)
    return see(shifted)


@mistake("every key seen (no causal mask)", "gpt2-next", "llama-next", *NEOX, *MISTRAL)
def _(model):
    return see(lambda module, mask: None)


@mistake("heads interleaved: head h has rows h, h+H, …", "bert-width-24", "bert-width-8", "bert-sixteen-heads")
def _(model):
    heads = model.config.num_attention_heads
    for layer in record.layers_of(model):
        query = layer.attention.self.query
        set_weight(query, query.weight.reshape(-1, heads, query.in_features).transpose(0, 1).reshape(query.weight.shape).clone())


@mistake("q, k, v read as [head][q, k, v]", *MODERN, "gpt2-next")
def _(model):
    for layer in record.layers_of(model):
        fused = layer.attn.Wqkv if hasattr(layer.attn, "Wqkv") else layer.attn.c_attn
        heads = model.config.num_attention_heads
        rows = fused.weight if hasattr(layer.attn, "Wqkv") else fused.weight.T
        mixed = rows.reshape(heads, 3, -1, rows.shape[-1]).transpose(0, 1).reshape(rows.shape).clone()
        set_weight(fused, mixed if hasattr(layer.attn, "Wqkv") else mixed.T)


@mistake("q, k, v read as blocks for [head][q, k, v]", *NEOX, "gpt-neox-in-turn")
def _(model):
    for layer in record.layers_of(model):
        fused, heads = layer.attention.query_key_value, model.config.num_attention_heads
        for name in ("weight", "bias"):
            rows = getattr(fused, name)
            if rows is not None:
                mixed = rows.reshape(3, heads, -1, *rows.shape[1:]).transpose(0, 1).reshape(rows.shape)
                set_weight(fused, mixed.clone(), name)


@mistake("the MLP after the attention for beside it, or the reverse", *NEOX, "gpt-neox-in-turn")
def _(model):
    for layer in record.layers_of(model):
        layer.use_parallel_residual = not layer.use_parallel_residual


@mistake("both halves with the norm of the first", *NEOX)
def _(model):
    for layer in record.layers_of(model):
        set_weight(layer.post_attention_layernorm, layer.input_layernorm.weight)
        set_weight(layer.post_attention_layernorm, layer.input_layernorm.bias, "bias")


@mistake("Conv1D's square weight not transposed", "gpt2-next")
def _(model):
    for layer in record.layers_of(model):
        set_weight(layer.attn.c_proj, layer.attn.c_proj.weight.T.clone())


@mistake("biases of q, k, v left out", "qwen2-next")
def _(model):
    for layer in record.layers_of(model):
        for name in ("q_proj", "k_proj", "v_proj"):
            set_weight(getattr(layer.self_attn, name), 0, "bias")


# ---------------------------------------------------------------- feed forward, norms

@mistake("halves of the gate exchanged", *RMS, *MODERN)
def _(model):
    for layer in record.layers_of(model):
        if hasattr(layer.mlp, "Wi"):
            set_weight(layer.mlp.Wi, layer.mlp.Wi.weight.roll(layer.mlp.Wi.weight.shape[0] // 2, 0).clone())
        else:
            swap(layer.mlp.gate_proj.weight, layer.mlp.up_proj.weight)


@mistake("gelu and its tanh form exchanged", "bert-width-24", "bert-width-8", "distilbert-masked", "albert-groups", "mpnet-masked",
         "gpt2-next", *MODERN)
def _(model):
    other = {GELUActivation: NewGELUActivation, NewGELUActivation: GELUActivation}
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if type(child) in other:
                setattr(module, name, other[type(child)]())


@mistake("the head's gelu taken from hidden_act", "roberta-masked", "electra-generator")
def _(model):
    if model.config.model_type == "roberta":
        return [(record.modules_of("roberta"), "gelu", torch.relu)]
    model.generator_predictions.activation = torch.nn.ReLU()


@mistake("a norm before the first layer", *MODERN)
def _(model):
    size, eps = model.config.hidden_size, model.config.norm_eps
    model.model.layers[0].attn_norm = torch.nn.LayerNorm(size, eps, elementwise_affine=False)


@mistake("another epsilon (1e-5 for 1e-12 or 1e-6; 1e-12 for 1e-5)", *POST_NORM, "mpnet-masked", "gpt2-next", *NEOX, *RMS, *MODERN)
def _(model):
    for module in model.modules():
        for name in ("eps", "variance_epsilon"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 1e-12 if getattr(module, name) == 1e-5 else 1e-5)


@mistake("no final norm", "gpt2-next", *NEOX, *RMS, *MODERN)
def _(model):
    setattr(model.base_model, record.places(model).final_hidden, torch.nn.Identity())


def all_norms(model, function):
    cls = type(model.base_model.norm)
    return [(cls, "forward", function)]


@mistake("RMS norm that takes the mean off", *RMS)
def _(model):
    return all_norms(model, lambda self, x: record.rms_norm(self, x - x.mean(-1, keepdim=True)))


@mistake("RMS norm with a gain of 1 + w (Gemma's)", *RMS)
def _(model):
    return all_norms(model, lambda self, x: record.rms_norm(self, x) * (1 + self.weight) / self.weight)


# ---------------------------------------------------------------- embeddings, positions, layers, heads of tasks

def positions_from(model, first):
    module = record.part(model.base_model, record.places(model).positions)
    module.register_forward_pre_hook(lambda m, args: (torch.arange(args[0].shape[-1])[None] + first,))


@mistake("positions from 0 for pad + 1", "roberta-masked", "xlm-roberta-masked", "mpnet-masked")
def _(model):
    positions_from(model, 0)


@mistake("positions from pad for pad + 1", "roberta-masked", "xlm-roberta-masked", "mpnet-masked")
def _(model):
    positions_from(model, 1)


@mistake("pads inside the text counted", "roberta-masked", "mpnet-masked")
def _(model):
    positions_from(model, 2)


@mistake("every token of type 0", "bert-width-24", "bert-sixteen-heads", "electra-discriminator", "albert-groups")
def _(model):
    types = record.part(model.base_model, record.places(model).types)
    set_weight(types, types.weight[:1].expand_as(types.weight).clone())


@mistake("the one token type's row left out", "bert-one-head", "roberta-masked")
def _(model):
    set_weight(record.part(model.base_model, record.places(model).types), 0)


@mistake("embeddings projected without the bias", "electra-generator", "electra-discriminator", "albert-groups")
def _(model):
    set_weight(record.part(model.base_model, record.places(model).embeddings_projected), 0, "bias")


@mistake("no relative bias", "mpnet-masked")
def _(model):
    set_weight(model.mpnet.encoder.relative_attention_bias, 0)


@mistake("relative bias: left and right exchanged", "mpnet-masked")
def _(model):
    bias = model.mpnet.encoder.relative_attention_bias
    set_weight(bias, bias.weight.roll(16, 0).clone())


@mistake("relative bias divided by √d", "mpnet-masked")
def _(model):
    bias = model.mpnet.encoder.relative_attention_bias
    set_weight(bias, bias.weight / math.sqrt(model.config.hidden_size / model.config.num_attention_heads))


@mistake("buckets up to distance 64 for 128", "mpnet-masked")
def _(model):
    buckets = MPNetEncoder.relative_position_bucket
    return [(MPNetEncoder, "relative_position_bucket", staticmethod(lambda place, num_buckets: buckets(place, num_buckets, 64)))]


class Order:
    """Layer groups in the order asked for, whatever is asked."""

    def __init__(self, groups, order):
        self.groups, self.next = groups, itertools.cycle(order)

    def __getitem__(self, _):
        return self.groups[next(self.next)]

    def __iter__(self):
        return iter(self.groups)


def reorder(model, order):
    encoder = model.albert.encoder
    groups = encoder.albert_layer_groups
    del encoder.albert_layer_groups
    encoder.albert_layer_groups = Order(groups, order)


@mistake("layer groups in turn (0 1 0 1 for 0 0 1 1)", "albert-groups")
def _(model):
    reorder(model, (0, 1, 0, 1))


@mistake("every layer of the first group", "albert-groups")
def _(model):
    reorder(model, (0, 0, 0, 0))


@mistake("decoder taken as tied", "llama-next", *NEOX)
def _(model):
    set_weight(model.lm_head, model.get_input_embeddings().weight)


@mistake("classifier without its ReLU", "distilbert-labels")
def _(model):
    return [(torch.nn, "ReLU", torch.nn.Identity)]


@mistake("classifier without its tanh", "roberta-labels", "mpnet-labels")
def _(model):
    return [(torch, "tanh", lambda x: x)]


@mistake("classifier's gelu taken for tanh", "electra-labels")
def _(model):
    model.classifier.activation = torch.nn.Tanh()


class First(torch.nn.Module):
    def forward(self, state):
        return state[:, 0]


@mistake("classifier without the pooler", "bert-labels")
def _(model):
    model.bert.pooler = First()


@mistake("the head's norm left out", "modernbert-labels", "modernbert-answers")
def _(model):
    model.head.norm = torch.nn.Identity()


@mistake("start and end exchanged", "bert-answers", "distilbert-answers", "qwen3-answers", "mistral-answers")
def _(model):
    set_weight(model.qa_outputs, model.qa_outputs.weight.flip(0).clone())
    set_weight(model.qa_outputs, model.qa_outputs.bias.flip(0).clone(), "bias")


@mistake("pads at the end counted", "gpt2-labels")
def _(model):
    model.config.pad_token_id = None


@mistake("first token taken for the last", "gpt2-labels", "llama-labels", "gpt-neox-labels")
def _(model):
    score = model.score.forward
    model.score.forward = lambda x: score(x[:, :1].expand(x.shape))


@mistake("mean of the tokens taken for the first", "modernbert-labels")
def _(model):
    model.config.classifier_pooling = "cls"
