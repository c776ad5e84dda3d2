"""Ablation (Michel et al. 2019) by Hugging Face transformers in float64, for tests/js/decides.test.mjs: one model a family that
predicts words, the first TOKENS tokens of its first input. python decides.py writes decides.json: ln of the probability of the
word that comes first at position AT, with nothing changed, with each head off (its context 0), each MLP off (its output 0, the
last bias included), and each token replaced by id OTHER. patched: the source has the tokens between the first and the last in
the opposite order; each row of the stream that a layer finds, and each head's context, is taken from there; `pair`: the source
without its last PAIR_LESS tokens, and what is taken, at token PAIR[0], is that of token PAIR[1]. removed: the text without each
token, what comes after it moved up. Of ANSWERS the number is ln of the probability that the answer starts at token `start`, among
the tokens of the second text and the first one; of SIMILAR the cosine of the mean of the last layer's rows with that of `other`, a
text of its own; a head or an MLP is off in both."""
import json

import torch

import models
import produce
import record

TOKENS, AT, OTHER = 12, 5, 4
PAIR, PAIR_LESS = (3, 6), 2
ANSWERS, SIMILAR = "bert-answers", "bert-width-8"
OUTER = ("output.dense", "ffn_output", "ffn.lin2", "mlp.c_proj", "mlp.down_proj", "mlp.Wo", "mlp.dense_4h_to_h")
LOGITS = ("mlm_logits", "lm_logits", "generator_logits")


class Ablation:
    """Hooks that switch a head or an MLP off where `head` (layer, head) or `mlp` (layer) says so."""
    head = mlp = None
    row = context = None  # (layer, token), (layer, head) to be patched
    source, pairs = None, ()  # what a pass has noted: {("row" or "context", layer): tensor}; (to, from) of tokens

    def __init__(self, recorder, heads):
        self.recorder, self.heads = recorder, heads
        for layer in record.layers_of(recorder.model):
            layer.register_forward_pre_hook(self.before_layer, with_kwargs=True)
            record.part(layer, recorder.where.projected).register_forward_pre_hook(self.before_join)
            outer = next(m for m in (record.part(layer, path) for path in OUTER) if m is not None)
            outer.register_forward_hook(self.after_mlp)

    def before_layer(self, module, args, kwargs):
        stream = (args[0] if args else kwargs["hidden_states"]).clone()
        self.noted["row", self.recorder.layer] = stream.clone()
        for to, other in self.pairs:
            if self.row == (self.recorder.layer, to):
                stream[:, to] = self.source["row", self.recorder.layer][:, other]
        return ((stream, *args[1:]), kwargs) if args else (args, {**kwargs, "hidden_states": stream})

    def before_join(self, module, args):
        self.noted["context", self.recorder.layer] = args[0].clone()
        if self.context and self.context[0] == self.recorder.layer:
            context = args[0].clone()
            width = context.shape[-1] // self.heads
            at = slice(self.context[1] * width, (self.context[1] + 1) * width)
            for to, other in self.pairs:
                context[:, to, at] = self.source["context", self.recorder.layer][:, other, at]
            return (context, *args[1:])
        if not self.head or self.head[0] != self.recorder.layer:
            return None
        context = args[0].clone()
        width = context.shape[-1] // self.heads
        context[..., self.head[1] * width:(self.head[1] + 1) * width] = 0
        return (context, *args[1:])

    def after_mlp(self, module, args, out):
        return torch.zeros_like(out) if self.mlp == self.recorder.layer else None


def without(row, i):
    return row and [*row[:i], *row[i + 1:]]


def opened(recipe):
    recorder = record.Recorder(produce.opened(recipe))
    config = recorder.model.config
    off = Ablation(recorder, config.num_attention_heads)

    def run(ids, types, **change):
        off.head, off.mlp, off.row, off.context = (change.get(k) for k in ("head", "mlp", "row", "context"))
        off.noted = {}
        return recorder.run(ids, types and types[:len(ids)])
    return off, run, config.num_hidden_layers, config.num_attention_heads


def changed(one, layers, heads, ids, types, at):
    """one(**change) with each change; what is predicted at `at` moves up with the text."""
    return {"plain": one(), "heads": [[one(head=(l, h)) for h in range(heads)] for l in range(layers)],
            "mlps": [one(mlp=l) for l in range(layers)],
            "tokens": [one(ids=[*ids[:i], OTHER, *ids[i + 1:]]) for i in range(len(ids))],
            "removed": [None if i == at else one(ids=without(ids, i), types=without(types, i), at=at - (i < at))
                        for i in range(len(ids))]}


def measured(recipe, ids, types):
    off, run, layers, heads = opened(recipe)

    def logs(**change):
        out = run(change.pop("ids", ids), change.pop("types", types), **change)
        name = next(n for n in LOGITS if n in out)
        return torch.log_softmax(out[name][change.get("at", AT)], dim=-1)
    word = int(logs().argmax())

    def one(**change):
        return round(float(logs(**change)[word]), 9)

    def patched(source, pairs):
        logs(ids=source)
        off.source, off.pairs = off.noted, pairs
        return {"rows": [[one(row=(l, to)) for to, _ in pairs] for l in range(layers)],
                "heads": [[one(context=(l, h)) for h in range(heads)] for l in range(layers)]}
    other = [ids[0], *reversed(ids[1:-1]), ids[-1]]
    return {"word": word, **changed(one, layers, heads, ids, types, AT),
            "patched": patched(other, [(i, i) for i in range(len(ids))]), "pair": patched(other[:-PAIR_LESS], [PAIR])}


def answering(recipe, ids, types):
    _, run, layers, heads = opened(recipe)

    def logs(**change):
        now, kinds = change.pop("ids", ids), change.pop("types", types)
        logits = run(now, kinds, **change)["answer_logits"][:, 0]
        ended = now[-1] in (ids[-1], OTHER)  # by [SEP], or what is read in its place
        logits[[i for i, kind in enumerate(kinds) if i and (kind == 0 or ended and i == len(kinds) - 1)]] = -torch.inf
        return torch.log_softmax(logits, dim=-1)
    start = int(logs()[1:].argmax()) + 1

    def one(**change):
        return round(float(logs(**change)[change.get("at", start)]), 9)
    return {"start": start, **changed(one, layers, heads, ids, types, start)}


def comparing(recipe, ids, types):
    off, run, layers, heads = opened(recipe)
    last = record.layers_of(off.recorder.model)[-1]
    last.register_forward_hook(lambda module, args, out: setattr(off, "last", out[0] if isinstance(out, tuple) else out))
    other = [ids[0], *reversed(ids[1:-3]), ids[-1]]

    def mean(ids, **change):
        run(ids, types, **change)
        return off.last.reshape(len(ids), -1).mean(dim=0)

    def one(**change):
        parts = {k: change[k] for k in ("head", "mlp") if k in change}
        return round(float(torch.cosine_similarity(mean(change.get("ids", ids), **parts), mean(other, **parts), dim=0)), 9)
    return {"other": other, **changed(one, layers, heads, ids, [0] * len(ids), -1)}


if __name__ == "__main__":
    found, families = {}, set()
    others = {ANSWERS: answering, SIMILAR: comparing}
    for recipe in models.RECIPES:
        if recipe.name not in others and (recipe.family in families or recipe.length >= 512 or not any(
                recipe.cls.__name__.endswith(end) for end in ("ForMaskedLM", "LMHeadModel", "ForCausalLM", "ForPreTraining"))):
            continue
        listing = json.loads((produce.DUMPS / recipe.name / "inputs.json").read_text())["inputs"]
        if recipe.name.endswith("discriminator"):
            continue
        if recipe.name not in others:
            families.add(recipe.family)
        end = None if recipe.name == ANSWERS else TOKENS
        ids, types = (listing[0].get(k) and listing[0][k][:end] for k in ("input_ids", "token_type_ids"))
        record.attention = record.Attention()
        with record.replaced(*record.FLOAT64_PARTS):
            found[recipe.name] = others.get(recipe.name, measured)(recipe, ids, types)
        print(recipe.name, len(found[recipe.name]["mlps"]), "layers", flush=True)
    produce.write_json(produce.HERE / "decides.json", found)
