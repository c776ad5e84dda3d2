"""Deliberate mistakes in a pass of two stacks, as ../mistakes.py has them for one. `models` are beginnings of names."""
import math
from dataclasses import dataclass

import torch

import stacks
import record

MISTAKES = []
ALL = ("t5", "mt5", "bart", "marian")
T5 = ("t5", "mt5")


@dataclass(frozen=True)
class Mistake:
    name: str
    models: tuple
    make: object


def mistake(name, *models):
    return lambda make: MISTAKES.append(Mistake(name, models, make)) or make


def swap(a, b):
    with torch.no_grad():
        kept = a.clone()
        a.copy_(b)
        b.copy_(kept)


def looks(model, cross):
    return [looks for _, _, looks, _, _, is_cross in stacks.halves(model) if is_cross == cross]


def is_cross(module, model):
    return any(module is one for one in looks(model, True))


# ---------------------------------------------------------------- the two stacks

@mistake("the target not shifted", *ALL)
def _(model):
    return [(stacks.Recorder, "shifted", lambda self, target: torch.tensor(target))]


@mistake("the target shifted by two", *ALL)
def _(model):
    shifted = stacks.Recorder.shifted
    return [(stacks.Recorder, "shifted", lambda self, target: shifted(self, shifted(self, target).tolist()))]


@mistake("the decoder sees what follows", *ALL)
def _(model):
    decoder = model.base_model.decoder
    masked = stacks.Attention.__call__

    def call(self, module, query, key, value, mask, **more):
        own = any(module is m for m in decoder.modules()) and not is_cross(module, model)
        return masked(self, module, query, key, value, None if own else mask, **more)
    return [(stacks.Attention, "__call__", call)]


@mistake("the look at the source masked as the decoder's own", *ALL)
def _(model):
    masked = stacks.Attention.__call__

    def call(self, module, query, key, value, mask, **more):
        if is_cross(module, model):
            mask = (torch.arange(key.shape[2])[None, :] <= torch.arange(query.shape[2])[:, None])[None, None]
        return masked(self, module, query, key, value, mask, **more)
    return [(stacks.Attention, "__call__", call)]


@mistake("keys and values of the source exchanged", *ALL)
def _(model):
    for module in looks(model, True):
        k, v = (module.k, module.v) if hasattr(module, "k") else (module.k_proj, module.v_proj)
        swap(k.weight, v.weight)


@mistake("the look at the source before the decoder's own", "t5", "mt5")
def _(model):
    for block in model.decoder.block:
        own, cross = block.layer[0].SelfAttention, block.layer[1].EncDecAttention
        for name in ("q", "k", "v", "o"):
            swap(getattr(own, name).weight, getattr(cross, name).weight)


@mistake("the first layer's keys and values of the source in all layers", *T5, "bart-tied", "marian-computed")
def _(model):
    first = looks(model, True)[0]
    for module in looks(model, True):
        for name in ("k", "v") if hasattr(module, "k") else ("k_proj", "v_proj"):
            setattr(module, name, getattr(first, name))


@mistake("the decoder looks at the source's words for the encoder's last rows", *ALL)
def _(model):
    for module in looks(model, True):
        forward = module.forward

        def call(hidden_states, *args, forward=forward, **more):
            key = "key_value_states"
            if key in more:
                more[key] = model.seen
            return forward(hidden_states, *args, **more)
        module.forward = call
    first = (model.base_model.encoder.block if stacks.is_t5(model) else model.base_model.encoder.layers)[0]
    first.register_forward_pre_hook(lambda m, args: setattr(model, "seen", args[0]))


# ---------------------------------------------------------------- T5

@mistake("scores divided by √d", *T5)
def _(model):
    return [(stacks.Attention, "scale", staticmethod(lambda module, scaling, query: query.shape[-1] ** -0.5))]


@mistake("the encoder's bias in the decoder", *T5)
def _(model):
    own, other = (s.block[0].layer[0].SelfAttention.relative_attention_bias for s in (model.decoder, model.encoder))
    with torch.no_grad():
        own.weight.copy_(other.weight)


@mistake("the decoder's bias in the encoder", *T5)
def _(model):
    own, other = (s.block[0].layer[0].SelfAttention.relative_attention_bias for s in (model.encoder, model.decoder))
    with torch.no_grad():
        own.weight.copy_(other.weight)


@mistake("sides of the encoder's buckets exchanged", *T5)
def _(model):
    bias = model.encoder.block[0].layer[0].SelfAttention.relative_attention_bias
    with torch.no_grad():
        bias.weight.copy_(bias.weight.roll(bias.weight.shape[0] // 2, 0).clone())


def buckets(model, change):
    attention = type(model.encoder.block[0].layer[0].SelfAttention)
    usual = attention.__dict__["_relative_position_bucket"].__func__

    def call(place, bidirectional=True, num_buckets=32, max_distance=128):
        return usual(place, **change(dict(bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance)))
    return [(attention, "_relative_position_bucket", staticmethod(call))]


@mistake("the decoder's buckets of both sides", *T5)
def _(model):
    return buckets(model, lambda asked: {**asked, "bidirectional": True})


@mistake("buckets that reach half as far", *T5)
def _(model):
    return buckets(model, lambda asked: {**asked, "max_distance": asked["max_distance"] // 2 + 1})


@mistake("the bias in the first layer only", *T5)
def _(model):
    firsts = [s.block[0].layer[0].SelfAttention for s in (model.encoder, model.decoder)]
    return [(stacks.Attention, "bias", staticmethod(lambda module, bias: bias if any(module is f for f in firsts) else None))]


@mistake("the decoder's bias in its look at the source", *T5)
def _(model):
    first = model.decoder.block[0].layer[0].SelfAttention

    def bias(module, given):
        if is_cross(module, model):
            return first.compute_bias(given.shape[2], given.shape[3])
        return given
    return [(stacks.Attention, "bias", staticmethod(bias))]


@mistake("the bias divided by √d", *T5)
def _(model):
    return [(stacks.Attention, "bias", staticmethod(lambda module, bias: bias / math.sqrt(model.config.d_kv)))]


@mistake("tied output without D^-½, or an own one with it", *T5)
def _(model):
    scaled = getattr(model.config, "scale_decoder_outputs", False)
    factor = model.config.d_model ** (0.5 if scaled else -0.5)
    model.lm_head.register_forward_hook(lambda m, args, out: out * factor)


@mistake("decoder taken as tied", "t5-own", "mt5-own")
def _(model):
    model.lm_head.weight = model.shared.weight


@mistake("RMS norm that takes the mean off", *T5)
def _(model):
    norm = type(model.encoder.final_layer_norm)
    return [(norm, "forward", lambda self, x: record.rms_norm(self, x - x.mean(-1, keepdim=True)))]


@mistake("no final norm of the encoder", *T5)
def _(model):
    model.encoder.final_layer_norm = torch.nn.Identity()


@mistake("no final norm of the decoder", *T5)
def _(model):
    model.decoder.final_layer_norm = torch.nn.Identity()


@mistake("halves of the gate exchanged", "t5-own", "mt5-own")
def _(model):
    for stack in (model.encoder, model.decoder):
        for block in stack.block:
            mlp = block.layer[-1].DenseReluDense
            swap(mlp.wi_0.weight, mlp.wi_1.weight)


@mistake("gelu for its tanh form", "t5-own", "mt5-own")
def _(model):
    for stack in (model.encoder, model.decoder):
        for block in stack.block:
            block.layer[-1].DenseReluDense.act = torch.nn.GELU()


# ---------------------------------------------------------------- BART, Marian

def stacks_of(model):
    return model.base_model.encoder, model.base_model.decoder


def positions_from(model, first):
    for stack in stacks_of(model):
        stack.embed_positions.register_forward_hook(
            lambda m, args, out: m.weight[first:first + out.shape[-2]].expand_as(out))


@mistake("positions from 0 for 2", "bart")
def _(model):
    positions_from(model, 0)


@mistake("the encoder's positions in the decoder", "bart", "marian-stored")
def _(model):
    encoder, decoder = stacks_of(model)
    decoder.embed_positions.weight = encoder.embed_positions.weight


@mistake("no norm after the embeddings", "bart")
def _(model):
    for stack in stacks_of(model):
        stack.layernorm_embedding = torch.nn.Identity()


@mistake("words not multiplied by √D", "bart-scaled", "marian-computed")
def _(model):
    for stack in stacks_of(model):
        if hasattr(stack, "embed_scale"):
            stack.embed_scale = 1.0
        if hasattr(stack.embed_tokens, "embed_scale"):
            stack.embed_tokens.embed_scale = 1.0


@mistake("words multiplied by √D in the output too", "bart-scaled", "marian-computed")
def _(model):
    model.lm_head.register_forward_hook(lambda m, args, out: out * model.config.d_model ** 0.5)


@mistake("no bias of the logits", "bart", "marian")
def _(model):
    with torch.no_grad():
        model.final_logits_bias.zero_()


@mistake("scores divided by √(D/H) of the encoder in the decoder", "bart-tied")
def _(model):
    width = model.base_model.encoder.layers[0].self_attn.head_dim
    decoder = model.base_model.decoder

    def scale(module, scaling, query):
        return width ** -0.5 if any(module is m for m in decoder.modules()) else scaling
    return [(stacks.Attention, "scale", staticmethod(scale))]


@mistake("norms of own attention and look exchanged", "bart", "marian")
def _(model):
    for layer in model.base_model.decoder.layers:
        for name in ("weight", "bias"):
            swap(getattr(layer.self_attn_layer_norm, name), getattr(layer.encoder_attn_layer_norm, name))


@mistake("biases of the look left out", "bart", "marian")
def _(model):
    with torch.no_grad():
        for module in looks(model, True):
            module.q_proj.bias.zero_(), module.v_proj.bias.zero_()


@mistake("another epsilon (1e-12 for 1e-5)", "bart-tied")
def _(model):
    for module in model.modules():
        if isinstance(module, torch.nn.LayerNorm):
            module.eps = 1e-12


@mistake("sines and cosines in turn", "marian-computed")
def _(model):
    half = (model.config.d_model + 1) // 2
    order = [i // 2 + (half if i % 2 else 0) for i in range(model.config.d_model)]
    for stack in stacks_of(model):
        with torch.no_grad():
            stack.embed_positions.weight.copy_(stack.embed_positions.weight[:, order].clone())


@mistake("sines and cosines exchanged, or the half of an odd width rounded down", "marian-computed")
def _(model):
    half = model.config.d_model // 2
    for stack in stacks_of(model):
        with torch.no_grad():
            stack.embed_positions.weight.copy_(stack.embed_positions.weight.roll(half, 1).clone())


@mistake("positions computed where the file has others", "marian-stored")
def _(model):
    for stack in stacks_of(model):
        with torch.no_grad():
            stack.embed_positions.weight.copy_(stack.embed_positions.create_weight())


@mistake("a norm at the end of each stack", "marian")
def _(model):
    for stack in stacks_of(model):
        norm = torch.nn.LayerNorm(model.config.d_model, dtype=torch.float64)
        stack.layers[-1].register_forward_hook(lambda m, args, out, norm=norm: (norm(out[0]), *out[1:]) if isinstance(out, tuple) else norm(out))
