"""A float64 pass of a model of two stacks in transformers, and weights with which a wrong program does not come near it.

As ../record.py and ../weights.py for those of one stack, of which parts are used. Names are theirs: the encoder's tensors as those of any
model, the decoder's with "decoder." before; in its layers cross_q, cross_k, cross_v, cross_scores, cross_probs, cross_context,
cross_projected and cross_out are what q .. attn_out are, of the look at the source. decoder.rows [T, 2]: what is read, what is said.
"""
import contextlib
import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import torch
from transformers import AttentionInterface, AttentionMaskInterface

import record
import weights

NAME = "headlight-two"
TOLERANCE = {"word_embeddings": 1e-5, "position_embeddings": 1e-6, "embeddings": 1e-5, "q": 2e-4, "k": 1e-4, "v": 1e-4, "scores": 5e-4,
             "probs": 5e-5, "context": 1e-4, "projected": 1e-4, "attn_out": 1e-4, "hidden": 1e-4, "final_hidden": 2e-4, "lm_logits": 1e-4,
             "rows": 0.5, "input_ids": 0.5}
TOLERANCE.update({f"cross_{name}": TOLERANCE[name] for name in ("q", "k", "v", "scores", "probs", "context", "projected")},
                 cross_out=TOLERANCE["attn_out"])


def kind(name):
    return name.split(".")[-1]


# ---------------------------------------------------------------- the pass

class Attention:
    """As transformers' eager form. mistakes.py changes `bias` and `scale`."""

    def __init__(self):
        self.record = lambda module, **tensors: None

    @staticmethod
    def bias(module, position_bias):
        return position_bias

    @staticmethod
    def scale(module, scaling, query):
        return scaling

    def __call__(self, module, query, key, value, mask, scaling=None, position_bias=None, **_):
        scaling = self.scale(module, query.shape[-1] ** -0.5 if scaling is None else scaling, query)
        products = query @ key.transpose(2, 3) * scaling
        bias = self.bias(module, position_bias)
        scores = products if bias is None else products + bias
        masked = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
        probs = torch.softmax(masked, dim=-1)
        context = (probs @ value).transpose(1, 2)
        self.record(module, q=query, k=key, v=value, scores=scores, probs=probs, context=context.flatten(2), products=products, mask=mask)
        return context, probs


attention = Attention()
AttentionInterface.register(NAME, lambda *args, **kwargs: attention(*args, **kwargs))
AttentionMaskInterface.register(NAME, record.mask)


def float64_parts():
    changes = []
    for family, name in (("t5", "T5"), ("mt5", "MT5")):
        module = record.modules_of(family)
        looks = getattr(module, name + "Attention")
        changes.append((getattr(module, name + "LayerNorm"), "forward", record.rms_norm))
        changes.append((looks, "_relative_position_bucket", staticmethod(record.makes_a_table(looks._relative_position_bucket))))
    return changes


FLOAT64_PARTS = float64_parts()
ORIGINAL_PARTS = [(o, name, o.__dict__[name]) for o, name, _ in FLOAT64_PARTS]


def is_t5(model):
    return model.config.model_type in ("t5", "mt5")


def halves(model):
    """(stack, layer, attention, map after the heads, module of attn_out, what that gives, is it the look at the source?)"""
    for stack in (model.base_model.encoder, model.base_model.decoder) if hasattr(model.base_model, "decoder") else (model.encoder,):
        for i, layer in enumerate(stack.block if is_t5(model) else stack.layers):
            if is_t5(model):
                yield stack, i, layer.layer[0].SelfAttention, layer.layer[0].SelfAttention.o, layer.layer[0], False
                if stack.is_decoder:
                    yield stack, i, layer.layer[1].EncDecAttention, layer.layer[1].EncDecAttention.o, layer.layer[1], True
            else:
                yield stack, i, layer.self_attn, layer.self_attn.out_proj, layer.self_attn_layer_norm, False
                if hasattr(layer, "encoder_attn"):
                    yield stack, i, layer.encoder_attn, layer.encoder_attn.out_proj, layer.encoder_attn_layer_norm, True


class Recorder:
    """`run` gives the tensors of a pass. exact: float64, the reference."""

    def __init__(self, model, exact=True):
        self.model, self.exact, self.out, self.where, self.extra = model.eval(), exact, {}, {}, {}
        base = model.base_model
        self.stacks = {base.encoder: ""} | ({base.decoder: "decoder."} if hasattr(base, "decoder") else {})
        for stack, i, looks, output, after, cross in halves(model):
            prefix = f"{self.stacks[stack]}layer.{i}." + ("cross_" if cross else "")
            self.where[id(looks)] = prefix
            self.after(output, prefix + "projected")
            self.after(after, prefix + ("out" if cross else "attn_out"))
        for stack, prefix in self.stacks.items():
            self.see_embeddings(stack, prefix)
            for i, layer in enumerate(stack.block if is_t5(model) else stack.layers):
                self.after(layer, f"{prefix}layer.{i}.hidden")
            self.after(getattr(stack, "final_layer_norm", None), prefix + "final_hidden")

    def keep(self, name, x):
        self.out[name] = (x[0] if isinstance(x, tuple) else x).detach()[0]

    def after(self, module, name):
        if module is not None:
            module.register_forward_hook(lambda m, args, out: self.keep(name, out))

    def see_embeddings(self, stack, prefix):
        scale = getattr(stack, "embed_scale", 1.0) if self.model.config.model_type == "marian" else 1.0
        stack.embed_tokens.register_forward_hook(lambda m, args, out: self.keep(prefix + "word_embeddings", out * scale))
        if hasattr(stack, "embed_positions"):
            stack.embed_positions.register_forward_hook(
                lambda m, args, out: self.out.__setitem__(prefix + "position_embeddings", out.detach().reshape(-1, out.shape[-1])))
        first = (stack.block if is_t5(self.model) else stack.layers)[0]
        first.register_forward_pre_hook(lambda m, args: self.keep(prefix + "embeddings", args[0]))

    def note(self, module, **tensors):
        self.extra[id(module)] = tensors.pop("products")[0], tensors.pop("mask")
        for name, x in tensors.items():
            self.keep(self.where[id(module)] + name, x)

    def run(self, source, target):
        self.out = {}
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.no_grad())
            stack.enter_context(record.replaced((attention, "record", self.note)))
            if self.exact:
                stack.enter_context(record.OnlyFloat64())
            shifted = self.shifted(target)
            inputs = {"decoder_input_ids": shifted[None], "decoder_attention_mask": torch.ones(1, len(shifted), dtype=torch.long),
                      "use_cache": False} if target else {}
            result = self.model(input_ids=torch.tensor([source]), attention_mask=torch.ones(1, len(source), dtype=torch.long), **inputs)
        self.out["input_ids"] = torch.tensor(source)
        if target:
            self.out["decoder.rows"] = torch.stack([shifted, torch.tensor(target)], 1)
        if target and hasattr(result, "logits"):
            self.out["decoder.lm_logits"] = result.logits.detach()[0]
        return self.out

    def shifted(self, target):
        """By transformers itself."""
        labels = torch.tensor([target or [0]])
        if is_t5(self.model):
            return self.model._shift_right(labels)[0]
        shift = record.modules_of(self.model.config.model_type).shift_tokens_right
        return shift(labels, self.model.config.pad_token_id, self.model.config.decoder_start_token_id)[0]


# ---------------------------------------------------------------- weights

INTO_STREAM = {".o.weight": 0.7, ".wo.weight": 0.4, "out_proj.weight": 0.7, "fc2.weight": 0.7}  # else 1.3


def values(seed, name, owner, shape):
    if "relative_attention_bias" in name:
        return weights.drawn(seed, name, shape, 1.0)
    if name.endswith("bias"):
        mean = -1.5 if "fc1" in name else 0.0
        return weights.drawn(seed, name, shape, 0.5 if "fc1" in name or "final_logits" in name else 0.2, mean)
    if isinstance(owner, torch.nn.Embedding):
        return weights.drawn(seed, name, shape, 0.2)
    if len(shape) == 1:
        return weights.gain(seed, name, shape)
    size = next((size for end, size in INTO_STREAM.items() if name.endswith(end)), 1.3)
    return weights.drawn(seed, name, shape, size / math.sqrt(shape[1]))


def fill(model, seed):
    """Every parameter anew (of Marian not its positions, which are computed), and the bias of the logits."""
    owners = dict(model.named_modules())
    bias = {n: b for n, b in model.named_buffers() if n.endswith("final_logits_bias")}
    with torch.no_grad():
        for name, p in {**dict(model.named_parameters()), **bias}.items():
            if model.config.model_type == "marian" and "embed_positions" in name:
                continue
            p.copy_(torch.from_numpy(values(seed, name, owners[name.rpartition(".")[0]], tuple(p.shape))))


def strength(products, rest, mask, wanted):
    """The factor on q·k that gives the wanted mean largest weight."""
    low, high = 0.01, 100.0
    seen = torch.ones(products.shape, dtype=torch.bool) if mask is None else mask.expand(products.shape)
    rows = seen.sum(-1) > 1
    for _ in range(40):
        middle = math.sqrt(low * high)
        largest = torch.softmax((products * middle + rest).masked_fill(~seen, -math.inf), -1).amax(-1)[rows].mean().item()
        low, high = (middle, high) if largest < wanted else (low, middle)
    return float(f"{math.sqrt(low * high):.3g}")


def sharpen(model, source, target):
    """Each head's queries are scaled until its rows have a largest weight of 0.35 to 0.65 on average."""
    recorder = Recorder(model)
    for _, _, looks, _, _, _ in halves(model):
        out = recorder.run(source, target)
        (products, mask), scores = recorder.extra[id(looks)], out[recorder.where[id(looks)] + "scores"]
        query = looks.q if is_t5(model) else looks.q_proj
        width = query.weight.shape[0] // len(scores)
        for h in range(len(scores)):
            wanted = 0.5 if len(scores) == 1 else 0.35 + 0.3 * h / (len(scores) - 1)
            factor = strength(products[h], scores[h] - products[h], None if mask is None else mask[0, 0], wanted)
            with torch.no_grad():
                query.weight[h * width:(h + 1) * width] *= factor
                if query.bias is not None:
                    query.bias[h * width:(h + 1) * width] *= factor


def difference(found, expected):
    """The largest part of a tolerance that is used, and where."""
    worst = (0.0, "")
    for name, x in expected.items():
        ours = found.get(name)
        if ours is None:
            return float("inf"), f"{name} was not kept"
        if ours.numel() != x.numel():
            return float("inf"), f"{name} has another size"
        off = (ours.double().flatten() - x.double().flatten()).abs().max().item() / TOLERANCE[kind(name)]
        if not off <= worst[0]:
            worst = (off, name)
    return worst
