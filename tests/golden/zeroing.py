"""Value zeroing (Mohebbi et al. 2023) by Hugging Face transformers in float64, for tests/js/insight.test.mjs: one model a
family, the first TOKENS tokens of its first input. python zeroing.py writes zeroing.json: for each layer and key, 1 - cos
of each row of the layer's output when the values of that key are set to zero in all heads."""
import json

import torch

import models
import produce
import record

TOKENS = 12


class Zeroing(record.Attention):
    """Attention whose values of one key are zero in one layer."""
    at = None  # (layer, key)

    def __call__(self, module, query, key, value, mask, **kwargs):
        return super().__call__(module, query, key, self.zeroed(value), mask, **kwargs)

    def zeroed(self, value):
        """value [1, K, T, d], or [1, T, width] as MPNet's map gives it"""
        if self.at and self.recorder.layer == self.at[0]:
            value = value.clone()
            value[..., self.at[1], :] = 0
        return value


def turned(a, b):
    return (1 - torch.nn.functional.cosine_similarity(a, b, dim=-1)).clamp(min=0).tolist()


def distances(recipe, case):
    model = produce.opened(recipe)
    record.attention = zeroing = Zeroing()
    zeroing.recorder = recorder = record.Recorder(model)
    if recipe.family == "mpnet":
        for layer in record.layers_of(model):
            layer.attention.attn.v.register_forward_hook(lambda m, args, out: zeroing.zeroed(out))
    ids, types = (case[k] and case[k][:TOKENS] for k in ("input_ids", "token_type_ids"))
    plain = recorder.run(ids, types)
    count = max(int(n.split(".")[1]) for n in plain if n.startswith("layer.")) + 1

    def key_of(layer, key):
        zeroing.at = layer, key
        name = f"layer.{layer}.hidden"
        return [round(x, 9) for x in turned(plain[name], recorder.run(ids, types)[name])]
    return [[key_of(layer, key) for key in range(len(ids))] for layer in range(count)]


if __name__ == "__main__":
    found, families = {}, set()
    for recipe in models.RECIPES:
        if recipe.family in families or recipe.length >= 512:
            continue
        families.add(recipe.family)
        listing = json.loads((produce.DUMPS / recipe.name / "inputs.json").read_text())["inputs"]
        with record.replaced(*record.FLOAT64_PARTS):
            found[recipe.name] = distances(recipe, {"token_type_ids": None, **listing[0]})
        print(recipe.name, len(found[recipe.name]), "layers", flush=True)
    produce.write_json(produce.HERE / "zeroing.json", found)
