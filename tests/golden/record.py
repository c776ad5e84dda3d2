"""A pass of Hugging Face transformers with every tensor that Headlight keeps, in float64.

transformers is not float64 by itself: Llama, Qwen and ModernBERT compute softmax, RMSNorm or the rotation in float32.
So the attention function here is our own (registered through AttentionInterface and AttentionMaskInterface, which is how
transformers lets one do it), RMSNorm and the rotation are replaced by float64 versions, and a dispatch mode refuses any
other operation that yields float32. What stays in float32 is the table of angles: every program computes with that table,
it is part of the model. MPNet has an attention of its own, without the interface: it is read by hooks.

Names and shapes of the tensors: README.md.
"""
import contextlib
import importlib
from dataclasses import dataclass

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

NAME = "headlight"  # of the attention function, for attn_implementation


# ---------------------------------------------------------------- where a family keeps its parts

@dataclass(frozen=True)
class Places:
    """Paths of modules inside the base model; in a layer, relative to the layer."""
    layers: str                    # a ModuleList of layers
    projected: str                 # in a layer: the map after the heads are joined
    attn_out: tuple                # in a layer: (module, "in" or "out") whose input or output is the state after the residual
    query: tuple                   # in a layer: (module, how its rows are laid out), for weights.py
    embeddings: str = "embeddings"
    words: str = "embeddings.word_embeddings"
    positions: str = "embeddings.position_embeddings"
    types: str = "embeddings.token_type_embeddings"
    embeddings_projected: str = ""
    final_hidden: str = ""


BERT = Places("encoder.layer", "attention.output.dense", ("attention.output", "out"), ("attention.self.query", "rows"))
LLAMA = Places("layers", "self_attn.o_proj", ("post_attention_layernorm", "in"), ("self_attn.q_proj", "rows"),
               "embed_tokens", "embed_tokens", "", "", final_hidden="norm")
PLACES = {
    "bert": BERT,
    "roberta": BERT,
    "xlm-roberta": BERT,
    "camembert": BERT,
    "electra": Places(**{**BERT.__dict__, "embeddings_projected": "embeddings_project"}),
    "distilbert": Places("transformer.layer", "attention.out_lin", ("sa_layer_norm", "out"), ("attention.q_lin", "rows"),
                         types=""),
    "albert": Places("encoder.albert_layer_groups", "attention.dense", ("attention.LayerNorm", "out"),
                     ("attention.query", "rows"), embeddings_projected="encoder.embedding_hidden_mapping_in"),
    "mpnet": Places("encoder.layer", "attention.attn.o", ("attention.LayerNorm", "out"), ("attention.attn.q", "rows"),
                    types=""),
    "gpt2": Places("h", "attn.c_proj", ("ln_2", "in"), ("attn.c_attn", "columns"), "drop", "wte", "wpe", "",
                   final_hidden="ln_f"),
    "llama": LLAMA,
    "qwen2": LLAMA,
    "qwen3": Places(**{**LLAMA.__dict__, "query": ("self_attn.q_norm", "norm")}),
    "mistral": LLAMA,
    "gpt_neox": Places("layers", "attention.dense", ("post_attention_layernorm", "in"), ("attention.query_key_value", "by head"),
                       "emb_dropout", "embed_in", "", "", final_hidden="final_layer_norm"),
    "modernbert": Places("layers", "attn.Wo", ("mlp_norm", "in"), ("attn.Wqkv", "rows"), "embeddings",
                         "embeddings.tok_embeddings", "", "", final_hidden="final_norm"),
}


def places(model):
    return PLACES[model.config.model_type]


def part(module, path):
    """The module at a path, or None."""
    for name in path.split("."):
        module = getattr(module, name, None)
    return module


def layers_of(model):
    """The modules of the layers that a model has weights for (ALBERT: one for each group)."""
    found = part(model.base_model, places(model).layers)
    if model.config.model_type == "albert":
        return [inner for group in found for inner in group.albert_layers]
    return list(found)


# ---------------------------------------------------------------- float64 throughout

class OnlyFloat64(TorchDispatchMode):
    """Refuses operations that yield another precision, so that no part of a model is float32 unnoticed."""
    table_being_made = False

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        out = op(*args, **(kwargs or {}))
        for x in out if isinstance(out, (tuple, list)) else [out]:
            if isinstance(x, torch.Tensor) and x.is_floating_point() and x.dtype != torch.float64 and not self.table_being_made:
                raise TypeError(f"{op} gives {x.dtype} in a float64 pass")
        return out


def makes_a_table(function):
    """Wraps what may use float32: the table of angles, the buckets of relative positions."""
    def wrapped(*args, **kwargs):
        OnlyFloat64.table_being_made = True
        try:
            return function(*args, **kwargs)
        finally:
            OnlyFloat64.table_being_made = False
    return wrapped


def rms_norm(self, x):
    return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.variance_epsilon))


def half_turned(x):
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]), dim=-1)


def rotate(q, k, cos, sin, unsqueeze_dim=1):
    """Rotary position embedding: pairs (i, i + r/2) of the first r. cos, sin [1, T, r] come from float32."""
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    r = cos.shape[-1]
    return [torch.cat((x[..., :r] * cos + half_turned(x[..., :r]) * sin, x[..., r:]), -1) for x in (q, k)]


@contextlib.contextmanager
def replaced(*changes):
    """changes: (object, attribute, value), undone at the end."""
    kept = [(o, name, o.__dict__.get(name, replaced)) for o, name, _ in changes]
    for o, name, value in changes:
        setattr(o, name, value)
    try:
        yield
    finally:
        for o, name, value in reversed(kept):
            delattr(o, name) if value is replaced else setattr(o, name, value)


def modules_of(family):
    return importlib.import_module(f"transformers.models.{family}.modeling_{family}")


def float64_parts():
    """What has to be replaced in the modules of transformers."""
    changes = []
    for family, name in (("llama", "Llama"), ("qwen2", "Qwen2"), ("qwen3", "Qwen3"), ("mistral", "Mistral"),
                         ("gpt_neox", "GPTNeoX"), ("modernbert", "ModernBert")):
        module = modules_of(family)
        changes.append((module, "apply_rotary_pos_emb", rotate))
        rotary = getattr(module, name + "RotaryEmbedding")
        changes.append((rotary, "forward", makes_a_table(rotary.forward)))
        if hasattr(module, name + "RMSNorm"):
            changes.append((getattr(module, name + "RMSNorm"), "forward", rms_norm))
    buckets = staticmethod(makes_a_table(MPNetEncoder.relative_position_bucket))
    return changes + [(MPNetEncoder, "relative_position_bucket", buckets)]


FLOAT64_PARTS = float64_parts()
ORIGINAL_PARTS = [(o, name, o.__dict__[name]) for o, name, _ in FLOAT64_PARTS]


# ---------------------------------------------------------------- attention

class Attention:
    """Attention as the paper has it, with what a recorder wants to know. mistakes.py changes `spread` and `visible`."""

    def __init__(self):
        self.record = lambda **tensors: None

    @staticmethod
    def spread(x, count):
        """Keys or values [1, K, T, d] for all heads: head h has key head h div (H/K)."""
        return x.repeat_interleave(count // x.shape[1], dim=1)

    @staticmethod
    def visible(layer, mask):
        return mask

    def __call__(self, module, query, key, value, mask, scaling=None, **_):
        scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
        heads = query.shape[1]
        scores = query @ self.spread(key, heads).transpose(2, 3) * scaling
        mask = self.visible(module, mask)
        masked = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
        probs = torch.softmax(masked, dim=-1)
        context = (probs @ self.spread(value, heads)).transpose(1, 2)
        self.record(q=query, k=key, v=value, scores=scores, probs=probs, context=context.flatten(2), mask=mask)
        return context, probs


attention = Attention()


def mask(*args, **kwargs):
    """[1, 1, T, T], true where a query sees a key; never left out, so that it can be looked at."""
    kwargs.update(allow_is_causal_skip=False, allow_is_bidirectional_skip=False)
    return sdpa_mask(*args, **kwargs)


AttentionInterface.register(NAME, lambda *args, **kwargs: attention(*args, **kwargs))
AttentionMaskInterface.register(NAME, mask)


# ---------------------------------------------------------------- the recorder

class Recorder:
    """Hooks on a model; `run` gives the tensors of a pass. exact: float64, the reference; else float32 as transformers has it."""

    def __init__(self, model, exact=True):
        self.model, self.exact, self.out, self.layer = model.eval(), exact, {}, 0
        self.where = places(model)
        base = model.base_model
        self.see_embeddings(base)
        for module in layers_of(model):
            self.see_layer(module)
        self.after(part(base, self.where.final_hidden), "final_hidden")
        if getattr(base, "pooler", None) is not None:
            self.after(getattr(base, "pooler_activation", base.pooler), "pooled")

    def keep(self, name, x):
        x = x[0] if isinstance(x, tuple) else x
        self.out[name] = x.detach()[0]

    def keep_of_layer(self, name, x):
        self.keep(f"layer.{self.layer}.{name}", x)

    def after(self, module, name):
        if module is not None:
            module.register_forward_hook(lambda m, args, out: self.keep(name, out))

    def see_embeddings(self, base):
        w = self.where
        for path, name in ((w.words, "input_ids"), (w.positions, "position_ids"), (w.types, "token_type_ids")):
            if not path:
                continue
            rows = {"input_ids": "word_embeddings", "position_ids": "position_embeddings", "token_type_ids": "type_embeddings"}

            def hook(m, args, out, name=name):
                self.out[name], self.out[rows[name]] = args[0].reshape(-1), out.detach().reshape(-1, out.shape[-1])
            part(base, path).register_forward_hook(hook)
        self.after(part(base, w.embeddings), "embeddings")
        if w.embeddings_projected:
            self.after(part(base, w.embeddings_projected), "embeddings_projected")

    def see_layer(self, module):
        part(module, self.where.projected).register_forward_hook(
            lambda m, args, out: self.keep_of_layer("projected", out))
        path, side = self.where.attn_out
        if getattr(module, "use_parallel_residual", False):  # of GPT-NeoX no module has the sum
            module.register_forward_pre_hook(lambda m, args: setattr(self, "stream", args[0].detach()))
            part(module, self.where.projected).register_forward_hook(
                lambda m, args, out: self.keep_of_layer("attn_out", self.stream + out))
        else:
            part(module, path).register_forward_hook(
                lambda m, args, out: self.keep_of_layer("attn_out", args[0] if side == "in" else out))
        if self.model.config.model_type == "mpnet":
            self.see_mpnet(module.attention.attn)

        def end(m, args, out):
            self.keep_of_layer("hidden", out)
            self.layer += 1
        module.register_forward_hook(end)

    def see_mpnet(self, attn):
        """Its attention is written out: q, k and v are outputs of maps, the scores are computed again as there."""
        def heads(x):
            return x.view(1, x.shape[1], attn.num_attention_heads, -1).transpose(1, 2)

        def end(m, args, kwargs, out):
            bias = args[2] if len(args) > 2 else kwargs["position_bias"]
            state = args[0]
            q, k, v = heads(m.q(state)), heads(m.k(state)), heads(m.v(state))
            scores = q @ k.transpose(2, 3) / m.attention_head_size ** 0.5 + bias
            probs = torch.softmax(scores, dim=-1)
            joined = (probs @ v).transpose(1, 2).flatten(2)
            if not torch.equal(probs, self.probs):
                raise AssertionError("MPNet's attention is not what was taken from it")
            self.note(q=q, k=k, v=v, scores=scores, probs=probs, context=joined, mask=None)
        attn.dropout.register_forward_pre_hook(lambda m, args: setattr(self, "probs", args[0].detach().clone()))
        attn.register_forward_hook(end, with_kwargs=True)

    def note(self, **tensors):
        seen = tensors.pop("mask")
        self.seen = getattr(self, "seen", {})
        self.seen[self.layer] = None if seen is None else seen[0, 0]
        for name, x in tensors.items():
            self.keep_of_layer(name, x)

    def run(self, ids, types=None):
        """{name: tensor} of one input. types: None where the family has none."""
        self.out, self.layer = {}, 0
        inputs = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids), dtype=torch.long)}
        if types is not None and self.where.types:
            inputs["token_type_ids"] = torch.tensor([types])
        if self.where.final_hidden and self.model.config.model_type != "modernbert":
            inputs["use_cache"] = False
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.no_grad())
            stack.enter_context(replaced((attention, "record", self.note)))
            if self.exact:
                stack.enter_context(OnlyFloat64())
            result = self.model(**inputs)
        self.out.setdefault("position_ids", torch.arange(len(ids)))
        self.keep_answers(result)
        return self.out

    def keep_answers(self, result):
        for name, x in answers(self.model, result).items():
            self.out[name] = x.detach()


def answers(model, result):
    """The logits of whatever head the model has, under the names of the dumps."""
    kind = type(model).__name__
    if kind.endswith("ForPreTraining") and not kind.startswith("Electra"):
        second = ("seq_relationship_logits", "nsp_logits") if kind.startswith("Bert") else ("sop_logits", "sop_logits")
        return {"mlm_logits": result.prediction_logits[0], second[1]: result[second[0]][0]}
    if kind.endswith("QuestionAnswering"):
        return {"answer_logits": torch.stack([result.start_logits[0], result.end_logits[0]], dim=-1)}
    name = {"ElectraForPreTraining": "discriminator_logits", "ElectraForMaskedLM": "generator_logits"}.get(kind)
    ends = {"ForMaskedLM": "mlm_logits", "LMHeadModel": "lm_logits", "ForCausalLM": "lm_logits",
            "ForSequenceClassification": "label_logits", "ForTokenClassification": "token_label_logits"}
    name = name or next((ends[end] for end in ends if kind.endswith(end)), None)
    return {name: result.logits[0]} if name else {}
