#!/usr/bin/env python3
"""Makes the checkpoints of this folder and what transformers computes with them in float64; see README.md.

    python make.py            writes models/ and dumps/, then checks
    python make.py --check    writes nothing: are the dumps those, is attention peaked, is every deliberate mistake found?
"""
import argparse
import json
import os
import shutil
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
import numpy as np
import torch
import transformers as hf
from safetensors.numpy import save_file
from safetensors.torch import load_file
from safetensors.torch import save_file as save_torch

import stacks
import record
import mistakes

HERE = Path(__file__).resolve().parent
MODELS, DUMPS = HERE / "models", HERE / "dumps"
LEAST = 20  # tolerances by which a mistake must show
LONG = ("input_ids", "rows", "hidden", "final_hidden", "lm_logits")


@dataclass(frozen=True)
class Recipe:
    name: str
    cls: type
    config: dict
    dtype: str = "float32"
    own: bool = False         # a decoder that is not the word embeddings
    published: tuple = ()     # what published files say otherwise: (field, value; None: left out)
    stored: bool = False      # positions that the file has, other than those that are computed
    long: tuple = (150, 140)  # tokens of the source and the target of `long`


T5 = dict(vocab_size=60, d_model=24, d_kv=7, num_heads=3, d_ff=20, num_layers=2, num_decoder_layers=3, decoder_start_token_id=0)
MARIAN = dict(vocab_size=60, d_model=21, encoder_layers=3, decoder_layers=2, encoder_attention_heads=3, decoder_attention_heads=3,
              encoder_ffn_dim=20, decoder_ffn_dim=28, max_position_embeddings=160, pad_token_id=59, eos_token_id=0, forced_eos_token_id=0,
              decoder_start_token_id=59, scale_embedding=True)
RECIPES = (
    Recipe("t5-tied", hf.T5ForConditionalGeneration, T5, published=(("dense_act_fn", None), ("is_gated_act", None), ("scale_decoder_outputs", None))),
    Recipe("t5-own", hf.T5ForConditionalGeneration, {**T5, "num_layers": 3, "num_decoder_layers": 2, "feed_forward_proj": "gated-gelu",
                                                     "relative_attention_num_buckets": 10, "relative_attention_max_distance": 20},
           dtype="bfloat16", own=True, published=(("tie_word_embeddings", False), ("scale_decoder_outputs", None))),
    Recipe("mt5-own", hf.MT5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, dtype="float16", own=True,
           published=(("tie_word_embeddings", False),)),
    Recipe("bart-tied", hf.BartForConditionalGeneration,
           dict(vocab_size=60, d_model=24, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3, decoder_attention_heads=2,
                encoder_ffn_dim=20, decoder_ffn_dim=28, max_position_embeddings=160, pad_token_id=1, bos_token_id=0, eos_token_id=2,
                decoder_start_token_id=2, forced_bos_token_id=7)),
    Recipe("bart-scaled", hf.BartForConditionalGeneration,
           dict(vocab_size=60, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
                encoder_ffn_dim=20, decoder_ffn_dim=20, max_position_embeddings=40, pad_token_id=1, bos_token_id=0, eos_token_id=2,
                decoder_start_token_id=2, scale_embedding=True, activation_function="relu"), dtype="float16", own=True, long=(40, 33)),
    Recipe("marian-computed", hf.MarianMTModel, {**MARIAN, "activation_function": "swish"}, dtype="bfloat16"),
    Recipe("marian-stored", hf.MarianMTModel, {**MARIAN, "encoder_layers": 1, "decoder_layers": 1, "scale_embedding": False}, stored=True,
           long=(40, 33)),
)


# ---------------------------------------------------------------- models

def drawn_ids(name, count, vocab, last):
    ids = np.random.RandomState(weights_seed(name)).randint(3, vocab, size=count).tolist()
    return ids[:-1] + [last]


def weights_seed(name):
    return stacks.weights.zlib.crc32(name.encode())


def cases_of(recipe, config):
    end = config.eos_token_id
    for name, source, target in (("short", 13, 6), ("one", 1, 1), ("wide", 5, 17), ("long", *recipe.long)):
        yield name, drawn_ids(f"{recipe.name}/{name}/source", source, config.vocab_size, end), \
            drawn_ids(f"{recipe.name}/{name}/target", target, config.vocab_size, end)


def write_model(recipe):
    folder = MODELS / recipe.name
    shutil.rmtree(folder, ignore_errors=True)
    model = recipe.cls._from_config(recipe.cls.config_class(**recipe.config), dtype=torch.float64, attn_implementation=stacks.NAME)
    stacks.fill(model, recipe.name)
    _, source, target = next(cases_of(recipe, model.config))
    stacks.sharpen(model, source, target)
    model = model.to(getattr(torch, recipe.dtype))
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    file = folder / "model.safetensors"
    if recipe.own:
        found = load_file(file)
        words = next(x for n, x in found.items() if n.endswith("shared.weight"))
        drawn = stacks.values(recipe.name, "lm_head.weight", None, tuple(words.shape))
        save_torch({**found, "lm_head.weight": torch.from_numpy(drawn).to(words.dtype)}, file, {"format": "pt"})
    if recipe.stored:
        found, shape = load_file(file), (recipe.config["max_position_embeddings"], recipe.config["d_model"])
        names = [f"model.{stack}.embed_positions.weight" for stack in ("encoder", "decoder")]
        drawn = {name: torch.from_numpy(stacks.values(recipe.name, name, torch.nn.Embedding(1, 1), shape)).float() for name in names}
        save_torch({**found, **drawn}, file, {"format": "pt"})
    os.chmod(file, 0o644)
    config = json.loads((folder / "config.json").read_text())
    for field, value in recipe.published:
        config.pop(field, None)
        if value is not None:
            config[field] = value
    (folder / "config.json").write_text(json.dumps(dict(sorted(config.items())), indent=2) + "\n")


def opened(recipe, dtype=torch.float64):
    return recipe.cls.from_pretrained(MODELS / recipe.name, dtype=dtype, attn_implementation=stacks.NAME)


def to_keep(case, out):
    return {n: x for n, x in out.items() if case != "long" or stacks.kind(n) in LONG}


def written_by(recipe, source):
    """What generate() writes: up to 3 tokens, and up to 20."""
    plain = recipe.cls.from_pretrained(MODELS / recipe.name, dtype=torch.float64)
    return {str(most): plain.generate(torch.tensor([source]), num_beams=1, do_sample=False, max_new_tokens=most, use_cache=False)[0].tolist()[1:]
            for most in (1, 3, 20)}


def write_dumps(recipe):
    folder = DUMPS / recipe.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    model, inputs = opened(recipe), []
    recorder = stacks.Recorder(model)
    for name, source, target in cases_of(recipe, model.config):
        out = to_keep(name, recorder.run(source, target))
        save_file({n: np.ascontiguousarray(x.numpy().astype(np.int64 if n in ("input_ids", "decoder.rows") else np.float32))
                   for n, x in out.items()}, folder / f"{name}.safetensors", {"format": "pt"})
        os.chmod(folder / f"{name}.safetensors", 0o644)
        inputs.append({"name": name, "source": source, "target": target})
    written = written_by(recipe, inputs[0]["source"])
    lines = [json.dumps({**case, **({"written": written} if not i else {})}) for i, case in enumerate(inputs)]
    (folder / "inputs.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


# ---------------------------------------------------------------- checks

def check(recipe, fault):
    """fault(sentence) where something is not as README.md says."""
    exact, single = opened(recipe), opened(recipe, torch.float32)
    recorder, rough, expected, peak = stacks.Recorder(exact), stacks.Recorder(single, exact=False), {}, []
    for name, source, target in cases_of(recipe, exact.config):
        expected[name] = recorder.run(source, target)
        dump = load_file(DUMPS / recipe.name / f"{name}.safetensors")
        if stacks.difference(expected[name], dump)[0] > 0.05:
            fault(f"{recipe.name}/{name}: the dump is another")
        with record.replaced(*stacks.ORIGINAL_PARTS):
            off = stacks.difference(rough.run(source, target), to_keep(name, expected[name]))
        if off[0] > 1 / 3:
            fault(f"{recipe.name}/{name}: float32 needs {off[0]:.2f} of the tolerance at {off[1]}")
        peak += [x.amax(-1)[..., 1:].mean().item() for n, x in expected[name].items() if n.endswith("probs") and name == "short"]
    if not all(0.2 < p < 0.8 for p in peak):
        fault(f"{recipe.name}: attention is even or of one key: {peak}")
    return expected


def check_mistakes(recipe, expected, shown):
    for mistake in mistakes.MISTAKES:
        if not recipe.name.startswith(mistake.models):
            continue
        model = opened(recipe)
        changes = mistake.make(model) or []
        with record.replaced(*changes):
            recorder, most = stacks.Recorder(model), (0.0, "")
            for name, source, target in cases_of(recipe, model.config):
                out = recorder.run(source, target)
                kept = {n: x for n, x in to_keep(name, expected[name]).items() if n in out and x.shape == out[n].shape}
                most = max(most, stacks.difference(out, kept))
        shown.setdefault(mistake.name, []).append((most[0], recipe.name, most[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    hf.utils.logging.set_verbosity(50)
    hf.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    faults, shown = [], {}
    with record.replaced(*stacks.FLOAT64_PARTS):
        for recipe in RECIPES:
            if options.names and recipe.name not in options.names:
                continue
            if not options.check:
                write_model(recipe)
                write_dumps(recipe)
            check_mistakes(recipe, check(recipe, faults.append), shown)
    for name, rows in shown.items():
        least = min(rows)
        print(f"| {name} | {', '.join(r[1] for r in rows)} | {least[0]:,.0f} × | `{stacks.kind(least[2])}` |")
        if least[0] < LEAST:
            faults.append(f"{name} shows by {least[0]:.1f} tolerances in {least[1]}")
    if not options.check:
        (HERE / "tolerances.json").write_text(json.dumps(stacks.TOLERANCE, indent=2) + "\n")
    for sentence in faults:
        print("FAILED:", sentence)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
