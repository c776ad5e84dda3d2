"""Path patching (Goldowsky-Dill et al. 2023) by Hugging Face transformers in float64, for tests/js/intervene_edges.test.mjs: of each
family that predicts words the model with most layers, the first TOKENS tokens of its first input. python edges.py writes
edges.json. The reader is a head of the last layer; each head and MLP below is off for its q, k or v alone: a pass in which
all other heads and MLPs below give what they give in the plain pass says what the reader would read, and in a second pass that takes the
place of its q, k or v. Keys and values that a group of heads shares change for the group. `words`: ln p of the word that comes
first at position AT; `weights`: of the reader's link from QUERY to the key that it looks at most.

Printed: the largest difference to the part off for all readers, and to MLPs that run on (Wang et al. 2022), so that a wrong program
would be seen."""
import json

import torch

import decides
import models
import produce
import record

TOKENS, AT, QUERY = decides.TOKENS, decides.AT, 7
READS = ("q", "k", "v")


class Paths(record.Attention):
    """Attention whose reader gets other q, k or v where `given` says so, and hooks that hold and switch off what is below."""

    def __init__(self, recorder, heads):
        super().__init__()
        self.recorder, self.heads, self.given, self.off, self.held, self.runs = recorder, heads, {}, None, 0, ()
        self.noted, self.kept = {}, {}
        for layer in record.layers_of(recorder.model):
            record.part(layer, recorder.where.projected).register_forward_pre_hook(self.before_join)
            outer = next(m for m in (record.part(layer, path) for path in decides.OUTER) if m is not None)
            outer.register_forward_hook(self.after_mlp)
        if recorder.model.config.model_type == "mpnet":
            for layer in record.layers_of(recorder.model):
                for name in READS:
                    getattr(layer.attention.attn, name).register_forward_hook(
                        lambda m, args, out, name=name: self.replaced(name, out.unflatten(2, (self.heads, -1)).transpose(1, 2)
                                                                      ).transpose(1, 2).flatten(2))

    def replaced(self, name, x):
        if (self.recorder.layer, name) not in self.given:
            return x
        head, rows = self.given[self.recorder.layer, name]
        x = x.clone()
        x[:, head * x.shape[1] // self.heads] = rows
        return x

    def __call__(self, module, query, key, value, mask, **more):
        now = [self.replaced(name, x) for name, x in zip(READS, (query, key, value))]
        return super().__call__(module, *now, mask, **more)

    def before_join(self, module, args):
        layer, context = self.recorder.layer, args[0].clone()
        if layer < self.held:
            context = self.kept["context", layer].clone()
        if self.off and self.off[0] == layer and self.off[1] is not None:
            width = context.shape[-1] // self.heads
            context[..., self.off[1] * width:(self.off[1] + 1) * width] = 0
        self.noted["context", layer] = context
        return (context, *args[1:])

    def after_mlp(self, module, args, out):
        layer = self.recorder.layer
        if layer < self.held and "mlp" not in self.runs:
            out = self.kept["mlp", layer].clone()
        if self.off == (layer, None):
            out = torch.zeros_like(out)
        self.noted["mlp", layer] = out
        return out


def measured(recipe, ids, types):
    recorder = record.Recorder(produce.opened(recipe))
    config = recorder.model.config
    layers, heads = config.num_hidden_layers, config.num_attention_heads
    last, head = layers - 1, heads - 1
    paths = record.attention = Paths(recorder, heads)

    def run(**how):
        paths.given, paths.off, paths.held, paths.runs = (how.get(k, d) for k, d in
                                                          (("given", {}), ("off", None), ("held", 0), ("runs", ())))
        paths.noted = {}
        return recorder.run(ids, types)

    def said(out):
        name = next(n for n in decides.LOGITS if n in out)
        return torch.log_softmax(out[name][AT], dim=-1)
    plain = run()
    paths.kept = paths.noted
    word = int(said(plain).argmax())
    key = int(plain[f"layer.{last}.probs"][head, QUERY].argmax())

    def numbers(out):
        return [round(float(said(out)[word]), 9), round(float(out[f"layer.{last}.probs"][head, QUERY, key]), 9)]

    def edge(off, read, **how):
        x = run(off=off, held=last, **how)[f"layer.{last}.{read}"]
        return numbers(run(given={(last, read): (head, x[head * x.shape[0] // heads].clone())}))
    parts = [(layer, one) for layer in range(last) for one in [*range(heads), None]]
    found = {read: [edge(off, read) for off in parts] for read in READS}
    total = [numbers(run(off=off)) for off in parts]
    through = {read: [edge(off, read, runs=("mlp",)) for off in parts] for read in READS}

    def apart(other):
        return max(abs(a - b) for read in READS for x, y in zip(found[read], other(read)) for a, b in zip(x, y))
    print(recipe.name, layers, "layers; all readers:", apart(lambda read: total), "MLPs run on:", apart(through.get), flush=True)
    return {"word": word, "reader": [last, head], "query": QUERY, "key": key, "plain": numbers(plain),
            "parts": [[layer, heads if one is None else one] for layer, one in parts], **found}


if __name__ == "__main__":
    chosen = {}
    for recipe in models.RECIPES:
        names = ("ForMaskedLM", "LMHeadModel", "ForCausalLM", "ForPreTraining")
        if recipe.length >= 512 or recipe.name.endswith("discriminator") or not any(recipe.cls.__name__.endswith(e) for e in names):
            continue
        config = recipe.cls.config_class(**recipe.config)
        if config.num_hidden_layers > chosen.get(recipe.family, (1,))[0]:
            chosen[recipe.family] = config.num_hidden_layers, recipe
    found = {}
    for _, recipe in chosen.values():
        listing = json.loads((produce.DUMPS / recipe.name / "inputs.json").read_text())["inputs"]
        ids, types = (listing[0].get(k) and listing[0][k][:TOKENS] for k in ("input_ids", "token_type_ids"))
        if len(ids) <= QUERY:
            print(recipe.name, "is left out: its first input is short")
            continue
        with record.replaced(*record.FLOAT64_PARTS):
            found[recipe.name] = measured(recipe, ids, types)
    produce.write_json(produce.HERE / "edges.json", found)
