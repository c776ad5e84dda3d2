"""Direct logit attribution (Elhage et al. 2021) by Hugging Face transformers in float64, for tests/js/direct.test.mjs: every model
of models.py that predicts words or labels, the first TOKENS tokens of its first input. python direct.py writes direct.json.

By autograd, in one pass that has the same numbers: each norm's sigma is detached, and so are what W_O and the last map of each MLP
take. Then the number depends on what each part has written by way of the stream alone, and a part's row is its value times its
gradient. Numbers: at position AT the logit of the entry that comes first less that of the second one (`against`), or less the mean of
all (-1); of a text's labels; of a discriminator at AT; of where an answer starts, less the mean of all tokens. `head`: biases
above the stream; `rest`: what is left of the number, which is what an activation function there leaves when it is linearised.
`sources`: of the head with the largest row, by the token that it was brought from."""
import contextlib
import json

import torch

import decides
import models
import produce
import record

TOKENS, AT = decides.TOKENS, decides.AT
BARE = ("BertModel",)


def held(x, eps, centred):
    x = x - x.mean(-1, keepdim=True) if centred else x
    return x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt().detach()


def layer_norm(self, x):
    made = held(x, self.eps, True) * self.weight
    return made if self.bias is None else made + self.bias


def rms_norm(self, x):
    return held(x, self.variance_epsilon, False) * self.weight


HELD = [(o, name, rms_norm if value is record.rms_norm else value) for o, name, value in record.FLOAT64_PARTS]


class Parts:
    """What each part has written in the last pass, with its gradient once there is one."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.embeddings, self.contexts, self.mlps = {}, {}, {}
        base, where = recorder.model.base_model, recorder.where
        for kind, path in (("word", where.words), ("position", where.positions), ("segment", where.types)):
            if path:
                record.part(base, path).register_forward_hook(
                    lambda m, args, out, kind=kind: self.embeddings.__setitem__(kind, (kept(out), 0)))
        for layer in record.layers_of(recorder.model):
            record.part(layer, where.projected).register_forward_pre_hook(self.before_join)
            outer = next(m for m in (record.part(layer, path) for path in decides.OUTER) if m is not None)
            outer.register_forward_pre_hook(lambda m, args: (args[0].detach(), *args[1:]))
            outer.register_forward_hook(self.after_mlp)

    def before_join(self, module, args):
        context = args[0].detach().requires_grad_()
        self.contexts[self.recorder.layer] = context
        return (context, *args[1:])

    def after_mlp(self, module, args, out):
        bias = getattr(module, "bias", None)
        self.mlps[self.recorder.layer] = kept(out), 0 if bias is None else bias.detach()


def kept(x):
    if not x.requires_grad:
        x.requires_grad_()
    x.retain_grad()
    return x


def row(part):
    x, less = part
    return 0.0 if x.grad is None else float(((x.detach() - less) * x.grad).sum())


def biases(model):
    """Of the blocks and of what stands above them."""
    below = {id(p) for name, p in model.base_model.named_parameters() if not name.startswith("pooler")}
    found = {True: 0.0, False: 0.0}
    for name, p in model.named_parameters():
        if name.split(".")[-1] == "bias" and p.grad is not None:
            found[id(p) in below] += float((p.detach() * p.grad).sum())
    return found[True], found[False]


def question(logits, name, second):
    """position, word, against, the number."""
    if name == "answer_logits":
        at = int(logits[1:, 0].argmax()) + 1
        return at, 0, -1, logits[at, 0] - logits[:, 0].mean()
    if name == "discriminator_logits":
        return AT, int(second), -1, logits[AT] * (1 if second else -1)
    rows = logits if name == "label_logits" else logits[AT]
    word, other = (int(i) for i in rows.topk(2).indices)
    return (0 if name == "label_logits" else AT), word, other if second else -1, rows[word] - (rows[other] if second else rows.mean())


def measured(recipe, ids, types, second):
    recorder = record.Recorder(produce.opened(recipe))
    model, caught, parts = recorder.model, {}, Parts(recorder)
    heads = model.config.num_attention_heads

    def answers(model, result):
        caught.update(original(model, result))
        return {}
    original = record.answers
    with record.replaced((torch, "no_grad", contextlib.nullcontext), (record, "answers", answers)):
        out = recorder.run(ids, types)
    name = next(n for n in (*decides.LOGITS, "answer_logits", "discriminator_logits", "label_logits", "token_label_logits") if n in caught)
    at, word, against, number = question(caught[name], name, second)
    number.backward()
    gradients = [(x.grad * x.detach())[0].unflatten(-1, (heads, -1)) for x in parts.contexts.values()]
    rows = [[float(x) for x in one.sum((0, 2))] for one in gradients]
    below, above = biases(model)
    found = {kind: row(parts.embeddings[kind]) if kind in parts.embeddings else 0.0 for kind in ("word", "position", "segment")}
    mlps = [row(part) for part in parts.mlps.values()]
    l, h = max(((l, h) for l in range(len(rows)) for h in range(heads)), key=lambda one: abs(rows[one[0]][one[1]]))
    probs, v = out[f"layer.{l}.probs"][h], out[f"layer.{l}.v"]
    back = parts.contexts[l].grad[0].unflatten(-1, (heads, -1))[:, h]
    brought = (probs * (back @ v[h * v.shape[0] // heads].T)).sum(0)
    total = sum(found.values()) + below + above + sum(mlps) + sum(map(sum, rows))
    found.update(biases=below, head=above, rest=float(number.detach()) - total, logit=float(number.detach()))

    def short(x):
        return [short(one) for one in x] if isinstance(x, list) else round(x, 9)
    return {"asked": [at, word, against], **{k: short(x) for k, x in found.items()}, "mlps": short(mlps), "heads": short(rows),
            "largest": [l, h], "sources": short([float(x) for x in brought])}


if __name__ == "__main__":
    torch.set_num_threads(1)
    answers = {}
    for recipe in models.RECIPES:
        if recipe.cls.__name__ in BARE or recipe.length >= 512:
            continue
        listing = json.loads((produce.DUMPS / recipe.name / "inputs.json").read_text())["inputs"]
        ids, types = (listing[0].get(k) and listing[0][k][:TOKENS] for k in ("input_ids", "token_type_ids"))
        answers[recipe.name] = []
        for second in (False,) if recipe.cls.__name__.endswith("Answering") else (False, True):
            record.attention = record.Attention()
            with record.replaced(*HELD, (torch.nn.LayerNorm, "forward", layer_norm)):
                answers[recipe.name].append(measured(recipe, ids, types, second))
        print(recipe.name, [one["asked"] for one in answers[recipe.name]], [one["rest"] for one in answers[recipe.name]], flush=True)
    produce.write_json(produce.HERE / "direct.json", answers)
