"""Ablation by means, several parts off at once, and labels of tokens, by Hugging Face transformers in float64, for
tests/js/intervene_means.test.mjs. python means.py writes means.json. Models that predict words, as in decides.py: ln of the
probability of the word `word` at position AT. A head off by its mean has as its context, at each token, the mean of its context over
the text's other tokens, those that were added (ADDED) not among them, of the text as it is; an MLP the mean of its output. together: the
parts of TOGETHER off at once, by zero and by mean; given: the same with GIVEN (of column c, cos c / 2) in their place at every
token. Of TOKENS the number is ln of the probability of the label `label` of the token `at`, of DISCRIMINATOR ln of the probability that
it was replaced, and beside heads and MLPs off by zero each token replaced by id OTHER, or removed."""
import json

import torch

import decides
import models
import produce
import record

AT, OTHER = decides.AT, decides.OTHER
TOGETHER = [("head", 0, 0), ("head", 1, 1), ("mlp", 1)]
TOKENS = ("bert-token-labels", "roberta-token-labels", "qwen2-token-labels")
DISCRIMINATOR = "electra-discriminator"
ADDED = {"gpt2-next": (), "qwen2-next": (), "qwen3-next": (), "llama-next": (0,)}  # of the others the first and the last


class Ablation(decides.Ablation):
    """off: {(kind, layer, head): None, or what stands in its place, [T, width]}; noted: of each layer, by kind."""
    off = {}

    def before_join(self, module, args):
        context = args[0].clone()
        self.noted["head", self.recorder.layer] = args[0][0].clone()
        width = context.shape[-1] // self.heads
        for (kind, layer, *head), rows in self.off.items():
            if kind == "head" and layer == self.recorder.layer:
                at = slice(head[0] * width, (head[0] + 1) * width)
                context[..., at] = 0 if rows is None else rows
        return (context, *args[1:])

    def after_mlp(self, module, args, out):
        layer = self.recorder.layer
        self.noted["mlp", layer] = out.reshape(-1, out.shape[-1]).clone()
        if ("mlp", layer) not in self.off:
            return None
        rows = self.off["mlp", layer]
        return torch.zeros_like(out) if rows is None else rows.reshape(out.shape).clone()


def opened(recipe):
    recorder = record.Recorder(produce.opened(recipe))
    config = recorder.model.config
    off = Ablation(recorder, config.num_attention_heads)

    def run(ids, types, **parts):
        off.off, off.noted = parts.get("off", {}), {}
        return recorder.run(ids, types and types[:len(ids)])
    return off, run, config.num_hidden_layers, config.num_attention_heads


def others(rows, added):
    """At each token the mean of the rows of the other tokens that were not added."""
    own = [i for i in range(len(rows)) if i not in added]
    return torch.stack([rows[[j for j in own if j != i]].mean(dim=0) for i in range(len(rows))])


def measured(recipe, ids, types):
    off, run, layers, heads = opened(recipe)
    added = ADDED.get(recipe.name, (0, len(ids) - 1))

    def logs(**parts):
        out = run(ids, types, **parts)
        return torch.log_softmax(out[next(n for n in decides.LOGITS if n in out)][AT], dim=-1)
    plain = logs()
    word, noted = int(plain.argmax()), off.noted
    means = {}
    for l in range(layers):
        rows = others(noted["head", l], added)
        for h, part in enumerate(rows.chunk(heads, dim=-1)):
            means["head", l, h] = part
        means["mlp", l] = others(noted["mlp", l], added)

    def one(parts):
        return round(float(logs(off=parts)[word]), 9)

    def given(part):
        rows = means[part]
        return (torch.arange(rows.shape[-1], dtype=rows.dtype).cos() / 2).expand_as(rows)
    return {"word": word, "plain": one({}),
            "heads": [[one({("head", l, h): means["head", l, h]}) for h in range(heads)] for l in range(layers)],
            "mlps": [one({("mlp", l): means["mlp", l]}) for l in range(layers)],
            "together": {"zero": one(dict.fromkeys(TOGETHER)), "mean": one({part: means[part] for part in TOGETHER}),
                         "given": one({part: given(part) for part in TOGETHER})}}


def labelled(recipe, ids, types):
    _, run, layers, heads = opened(recipe)
    at = 3

    def logs(**change):
        now, kinds = change.pop("ids", ids), change.pop("types", types)
        place = change.pop("at", at)
        out = run(now, kinds, **change)
        if "discriminator_logits" in out:
            x = out["discriminator_logits"].reshape(-1)[place]
            return torch.nn.functional.logsigmoid(torch.stack([-x, x]))
        return torch.log_softmax(out["token_label_logits"].reshape(len(now), -1)[place], dim=-1)
    label = int(logs().argmax())

    def one(**change):
        return round(float(logs(**change)[label]), 9)
    return {"at": at, "label": label, "plain": one(),
            "heads": [[one(off={("head", l, h): None}) for h in range(heads)] for l in range(layers)],
            "mlps": [one(off={("mlp", l): None}) for l in range(layers)],
            "tokens": [one(ids=[*ids[:i], OTHER, *ids[i + 1:]]) for i in range(len(ids))],
            "removed": [None if i == at else one(ids=decides.without(ids, i), types=decides.without(types, i), at=at - (i < at))
                        for i in range(len(ids))]}


if __name__ == "__main__":
    known = json.loads((produce.HERE / "decides.json").read_text())
    words = [name for name in known if "word" in known[name]]
    found = {}
    for recipe in models.RECIPES:
        if recipe.name not in (*words, *TOKENS, DISCRIMINATOR):
            continue
        listing = json.loads((produce.DUMPS / recipe.name / "inputs.json").read_text())["inputs"]
        ids, types = (listing[0].get(k) and listing[0][k][:decides.TOKENS] for k in ("input_ids", "token_type_ids"))
        record.attention = record.Attention()
        with record.replaced(*record.FLOAT64_PARTS):
            found[recipe.name] = (measured if recipe.name in words else labelled)(recipe, ids, types)
        print(recipe.name, found[recipe.name]["plain"], known.get(recipe.name, {}).get("plain"), flush=True)
    produce.write_json(produce.HERE / "means.json", found)
