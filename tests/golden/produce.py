"""How a recipe becomes a folder with a model, and the model its dumps and tolerances. See README.md."""
import json
import os
import re
import shutil
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

import models
import record
import texts
import weights

HERE = Path(__file__).resolve().parent
MODELS, DUMPS = HERE / "models", HERE / "dumps"
# Largest |float32 - float64| allowed, as in ../shared/golden/README.md; about ten times what float32 needs.
TOLERANCE = {"word_embeddings": 1e-6, "position_embeddings": 1e-6, "type_embeddings": 1e-6, "embeddings": 1e-5,
             "embeddings_projected": 2e-5, "q": 2e-4, "k": 1e-4, "v": 1e-4, "scores": 5e-4, "probs": 5e-5, "context": 1e-4,
             "projected": 1e-4, "attn_out": 1e-4, "hidden": 1e-4, "final_hidden": 2e-4, "pooled": 2e-5, "mlm_logits": 1e-4,
             "nsp_logits": 2e-5, "sop_logits": 2e-5, "lm_logits": 1e-4, "discriminator_logits": 5e-5, "generator_logits": 5e-5,
             "label_logits": 5e-5, "token_label_logits": 5e-5, "answer_logits": 5e-5}
IDS = ("input_ids", "position_ids", "token_type_ids")
LONG = IDS + ("embeddings", "probs", "hidden", "final_hidden")  # what a dump of `long` keeps
ROWS = ("word_embeddings", "position_embeddings", "type_embeddings", "mlm_logits", "lm_logits", "generator_logits",
        "scores")  # in `single` only
LEAN = IDS + ("final_hidden", "pooled", "mlm_logits", "label_logits", "token_label_logits", "answer_logits")


def kind(name):
    """layer.2.probs[1] -> probs"""
    return re.sub(r"\[\d+\]$", "", name).split(".")[-1]


# ---------------------------------------------------------------- models

def configured(recipe, tokenizer):
    special = {f"{role}_token_id": getattr(tokenizer, f"{role}_token_id") for role in ("pad", "bos", "eos")}
    known = recipe.cls.config_class().to_dict()
    fields = {**{k: v for k, v in special.items() if v is not None and k in known}, **recipe.config}
    return recipe.cls.config_class(vocab_size=len(tokenizer), **fields)


def made(recipe, tokenizer):
    """The model with peaked random weights, in float64."""
    config = configured(recipe, tokenizer)
    model = recipe.cls._from_config(config, dtype=torch.float64, **implementation(recipe))
    weights.fill(model, recipe.name)
    cases = cases_of(recipe, tokenizer, config)
    case = next((c for c in cases if c["name"] == "pair"), cases[0])
    weights.sharpen(model, case["input_ids"], case["token_type_ids"])
    return model


def implementation(recipe):
    return {} if recipe.family == "mpnet" else {"attn_implementation": record.NAME}


def cases_of(recipe, tokenizer, config):
    made = texts.inputs(tokenizer, config, recipe.length, recipe.name, recipe.family in models.CAUSAL)
    return [case for case in made if case["name"] in recipe.inputs]


def write_model(recipe, tokenizer):
    folder = MODELS / recipe.name
    shutil.rmtree(folder, ignore_errors=True)
    model = made(recipe, tokenizer).to(getattr(torch, recipe.dtype))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    os.chmod(folder / "model.safetensors", 0o644)
    if recipe.published:
        config = json.loads((folder / "config.json").read_text())
        config = {k: v for k, v in config.items() if k not in recipe.drop_from_published}
        config.update(recipe.published, torch_dtype=recipe.dtype, transformers_version="4.48.0")
        write_json(folder / "config.published.json", dict(sorted(config.items())))
    return folder


def opened(recipe, dtype=torch.float64, folder=None):
    how = implementation(recipe)
    return recipe.cls.from_pretrained(folder or MODELS / recipe.name, dtype=dtype, **how)


# ---------------------------------------------------------------- dumps

def written(value, indent=""):
    """JSON with lists of plain values on one line."""
    plain = not any(isinstance(v, (dict, list)) for v in (value if isinstance(value, list) else []))
    if not isinstance(value, (dict, list)) or (isinstance(value, list) and plain):
        return json.dumps(value, ensure_ascii=False)
    inner, opening, closing = indent + "  ", *("{}" if isinstance(value, dict) else "[]")
    items = value.items() if isinstance(value, dict) else ((None, v) for v in value)
    lines = [inner + (f"{json.dumps(k)}: " if k is not None else "") + written(v, inner) for k, v in items]
    return opening + "\n" + ",\n".join(lines) + "\n" + indent + closing


def write_json(path, value):
    path.write_text(written(value) + "\n", encoding="utf-8")


def to_keep(recipe, case, out):
    """The part of a pass that is dumped: all of it, but for long inputs and models that are there for their task head."""
    last = f"layer.{max(int(n.split('.')[1]) for n in out if n.startswith('layer.'))}.hidden"
    if recipe.length >= 512:
        heads = {f"layer.{i}.probs[{h}]": out[f"layer.{i}.probs"][h] for i, h in ((0, 1), (1, 2))}
        return {**{n: x for n, x in out.items() if kind(n) in LONG + ("pooled",) and kind(n) != "probs"}, **heads}
    if recipe.lean:
        return {n: x for n, x in out.items() if kind(n) in LEAN or n == last}
    if case["name"] in ("long", "pad-inside"):
        return {n: x for n, x in out.items() if kind(n) in LONG}
    return {n: x for n, x in out.items() if case["name"] == "single" or kind(n) not in ROWS}


def write_dumps(recipe, tokenizer):
    folder = DUMPS / recipe.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    model = opened(recipe)
    recorder, listing = record.Recorder(model), []
    for case in cases_of(recipe, tokenizer, model.config):
        out = to_keep(recipe, case, recorder.run(case["input_ids"], case["token_type_ids"]))
        arrays = {n: np.ascontiguousarray(x.numpy().astype(np.int64 if n in IDS else np.float32)) for n, x in out.items()}
        file = case["name"] + ".safetensors"
        save_file(arrays, folder / file, {"format": "pt"})
        os.chmod(folder / file, 0o644)
        listing.append({"name": case["name"], "file": file, "length": len(case["input_ids"]),
                        **{k: case[k] for k in ("texts", "input_ids", "token_type_ids") if k in case},
                        "tokens": tokenizer.convert_ids_to_tokens(case["input_ids"])})
    write_json(folder / "inputs.json", {"model": recipe.name, "inputs": listing})


def measure(recipes):
    """Per tensor over all models and inputs: the largest value and the largest error of transformers in float32."""
    table = {}
    for recipe in recipes:
        tokenizer = texts.TOKENIZERS[recipe.family]()
        single = opened(recipe, torch.float32)
        approximate, exact = record.Recorder(single, exact=False), record.Recorder(opened(recipe))
        for case in cases_of(recipe, tokenizer, single.config):
            out = exact.run(case["input_ids"], case["token_type_ids"])
            with record.replaced(*record.ORIGINAL_PARTS):
                rough = approximate.run(case["input_ids"], case["token_type_ids"])
            for name, x in out.items():
                if name in IDS:
                    continue
                row = table.setdefault(kind(name), {"largest_value": 0.0, "float32_error": 0.0})
                row["largest_value"] = max(row["largest_value"], x.abs().max().item())
                row["float32_error"] = max(row["float32_error"], (x - rough[name].double()).abs().max().item())
    return {name: {**{k: float(f"{v:.3g}") for k, v in table[name].items()}, "tolerance": TOLERANCE[name]}
            for name in TOLERANCE if name in table}


def write(recipes):
    for recipe in recipes:
        tokenizer = texts.TOKENIZERS[recipe.family]()
        folder = write_model(recipe, tokenizer)
        write_dumps(recipe, tokenizer)
        size = sum(f.stat().st_size for d in (folder, DUMPS / recipe.name) for f in d.iterdir())
        print(f"{recipe.name}: {size / 1000:.0f} kB", flush=True)
    if len(recipes) == len(models.RECIPES):
        path = HERE / "tolerances.json"
        tolerances = json.loads(path.read_text())
        tolerances["transformers"] = measure(recipes)
        path.write_text(json.dumps(tolerances, indent=2) + "\n")
    models_size, total = (sum(f.stat().st_size for f in d.rglob("*") if f.is_file()) for d in (MODELS, DUMPS))
    print(f"models: {models_size / 1e6:.2f} MB, dumps: {total / 1e6:.2f} MB")
    return total <= 12e6
