#!/usr/bin/env python3
"""Models of two stacks of other shapes and options, drawn by chance, Headlight's f32 against transformers in float64; and what both write.

    python variants.py [--cases 60] [--seed 1] [--only NAME] [--keep FOLDER] [--headlight PROGRAM]

As ../variants.py: a case is named by what it is drawn from; it passes when all tensors are within the tolerances of stacks.py (where float32
itself is not enough, four times the error of transformers in float32), or when it is refused with a sentence that names the field and its
value. Each writes up to 12 tokens, which are to be those of generate() with one beam. `make test-real` runs it.
"""
import argparse
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import warnings
from copy import deepcopy
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers as hf
from safetensors.torch import load_file, save_file

import stacks
import record
one = importlib.util.module_from_spec(SPEC := importlib.util.spec_from_file_location("variants_of_one", Path(__file__).resolve().parents[1] / "variants.py"))
SPEC.loader.exec_module(one)
ACTIVATIONS, DTYPES, named = one.ACTIVATIONS, one.DTYPES, one.named

HEADLIGHT = Path(__file__).resolve().parents[3] / "build/out/native/headlight"


def t5(r):
    reach = r.choice((4, 8, 10, 32, 32))
    proj = r.choice(("relu", "gated-gelu", "gated-silu", "gelu", "gated-relu", "gelu_new"))
    return dict(vocab_size=r.choice((11, 64, 131)), d_model=r.choice((1, 3, 8, 20, 33)), d_kv=r.choice((1, 2, 5, 8, 17)),
                num_heads=r.choice((1, 2, 3, 5)), d_ff=r.choice((1, 7, 16, 40)), num_layers=r.randint(1, 3), num_decoder_layers=r.randint(1, 4),
                relative_attention_num_buckets=reach, relative_attention_max_distance=r.choice((reach, 20, 64, 128, 128)),
                layer_norm_epsilon=r.choice((1e-6, 1e-6, 1e-3, 0.1)), feed_forward_proj=proj, decoder_start_token_id=r.choice((0, 0, 3)),
                tie_word_embeddings=r.random() < 0.5)


def bart(r):
    heads, others = r.choice(((1, 1), (2, 2), (3, 3), (2, 4), (6, 3)))
    width = r.choice((1, 2, 5, 8))
    return dict(vocab_size=r.choice((11, 64, 131)), d_model=width * max(heads, others), encoder_layers=r.randint(1, 3), decoder_layers=r.randint(1, 3),
                encoder_attention_heads=heads, decoder_attention_heads=others, encoder_ffn_dim=r.choice((1, 7, 40)),
                decoder_ffn_dim=r.choice((3, 16, 33)), max_position_embeddings=r.choice((8, 24, 70)), activation_function=r.choice(ACTIVATIONS),
                scale_embedding=r.random() < 0.5, pad_token_id=r.choice((1, 0)), bos_token_id=0, eos_token_id=2, decoder_start_token_id=r.choice((2, 3)),
                forced_eos_token_id=r.choice((2, None)))


def marian(r):
    config = bart(r)
    return {**config, "eos_token_id": 0, "forced_eos_token_id": 0, "pad_token_id": config["vocab_size"] - 1,
            "decoder_start_token_id": config["vocab_size"] - 1}


FAMILIES = {"t5": (t5, "T5"), "mt5": (t5, "MT5"), "bart": (bart, "Bart"), "marian": (marian, "Marian")}
ENDS = ("ForConditionalGeneration", "ForConditionalGeneration", "ForConditionalGeneration", "Model", "EncoderModel")


class Case:
    def __init__(self, name):
        self.name, self.random = name, random.Random(name)
        self.family = name.rpartition("-")[0]
        draw, prefix = FAMILIES[self.family]
        ends = [e for e in ENDS if hasattr(hf, prefix + e)] or ["MTModel", "Model"]
        self.config, self.cls = draw(self.random), getattr(hf, prefix + self.random.choice(ends))
        self.dtype, self.own = self.random.choice(DTYPES), self.random.random() < 0.4

    def make(self, folder):
        """Writes the folder; the models that transformers opens there, in float64 and float32."""
        model = self.cls._from_config(self.cls.config_class(**deepcopy(self.config)), dtype=torch.float64, attn_implementation=stacks.NAME)
        stacks.fill(model, self.name)
        source, target = next(self.inputs(model.config))
        if len(source) > 1 and hasattr(model.base_model, "decoder"):
            stacks.sharpen(model, source, target or [1])
        model = model.to(getattr(torch, self.dtype))
        model.save_pretrained(folder)
        if self.family == "marian" and self.own:
            self.give_positions(folder)
        elif self.own and hasattr(model, "lm_head"):
            self.give_own(folder)
        config = json.loads((folder / "config.json").read_text())
        if "tie_word_embeddings" in self.config and self.family in ("t5", "mt5"):  # as files published before version 5 say it
            config["tie_word_embeddings"] = self.config["tie_word_embeddings"]
            config.pop("scale_decoder_outputs", None)
        if self.random.random() < 0.5:
            for key in ("dense_act_fn", "is_gated_act"):
                config.pop(key, None)
        (folder / "config.json").write_text(json.dumps(config))
        self.settle(folder, config)
        return [self.cls.from_pretrained(folder, dtype=dtype, attn_implementation=stacks.NAME) for dtype in (torch.float64, torch.float32)]

    def give_own(self, folder):
        file = folder / "model.safetensors"
        found = load_file(file)
        words = found.get("shared.weight", found.get("model.shared.weight"))
        drawn = stacks.values(self.name, "lm_head.weight", None, tuple(words.shape))
        found["lm_head.weight"] = torch.from_numpy(drawn).to(words.dtype)
        save_file(found, file, {"format": "pt"})

    def settle(self, folder, config):
        """Half of them have settings of generate() of their own."""
        r, vocab = self.random, config["vocab_size"]
        file = folder / "generation_config.json"
        if r.random() < 0.5 or not file.exists():
            return
        some = {"min_length": r.choice((3, 6)), "no_repeat_ngram_size": r.choice((1, 2, 3)), "forced_bos_token_id": r.randrange(vocab),
                "forced_eos_token_id": r.choice((1, 2, [3])), "bad_words_ids": [[r.randrange(vocab)], [r.randrange(vocab)]],
                "suppress_tokens": [r.randrange(vocab), 4], "begin_suppress_tokens": [r.randrange(vocab)],
                "eos_token_id": r.choice((1, [2, 5], 7)), "num_beams": 4, "length_penalty": 2.0}
        chosen = r.sample(sorted(some), r.randint(1, 6))
        file.write_text(json.dumps({**json.loads(file.read_text()), **{name: some[name] for name in chosen}}))

    def give_positions(self, folder):
        """Files of before version 5 have them."""
        file = folder / "model.safetensors"
        found, config = load_file(file), self.config
        base = "model." if any(n.startswith("model.") for n in found) else ""
        for stack in ("encoder", "decoder") if f"{base}decoder.layers.0.fc1.weight" in found else ("encoder",):
            name = f"{base}{stack}.embed_positions.weight"
            drawn = stacks.values(self.name, name, torch.nn.Embedding(1, 1), (config["max_position_embeddings"], config["d_model"]))
            found[name] = torch.from_numpy(drawn).to(getattr(torch, self.dtype))
        save_file(found, file, {"format": "pt"})

    def inputs(self, config):
        r, vocab = self.random, config.vocab_size
        most = getattr(config, "max_position_embeddings", 90)
        for s, t in ((min(9, most), min(5, most)), (1, 1), (most, max(1, most - 3)), (r.randint(1, most), r.randint(1, most))):
            yield [r.randrange(vocab) for _ in range(s)], [r.randrange(vocab) for _ in range(t)]


def headlight(program, folder, source, *options):
    ids = ["--ids", " ".join(map(str, source)), "--store", "f32", "--precision", "fine"]
    ran = subprocess.run([program, "run", folder, *ids, *options], capture_output=True, text=True)
    return (None, ran.stderr.strip()) if ran.returncode else (ran.stdout, "")


def written(case, model, folder, program, source):
    """What is wrong with what is written; "" nothing."""
    most = min(12, getattr(model.config, "max_position_embeddings", 12))
    wanted = model.generate(torch.tensor([source]), num_beams=1, do_sample=False, max_new_tokens=most, use_cache=False)[0].tolist()[1:]
    out, said = headlight(program, folder, source, "--write", str(most), "--json")
    if out is None:
        return said
    ours = [row["id"] for row in json.loads(out)["target"]]
    return "" if ours == wanted else f"writes {ours}, transformers {wanted}"


def run(case, folder, program):
    """(kind, detail): kind is "within", "refused" or "wrong"."""
    exact, single = case.make(folder)
    unrecorded = deepcopy(exact)
    recorder, approximate, worst = stacks.Recorder(exact), stacks.Recorder(single, exact=False), (0.0, "")
    decodes = hasattr(exact.base_model, "decoder")
    for source, target in case.inputs(exact.config):
        target = target if decodes else []
        dump = folder / "dump.safetensors"
        out, said = headlight(program, folder, source, *(["--target-ids", " ".join(map(str, target))] if target else []), "--dump", dump)
        if out is None:
            return ("refused" if named(said, (folder / "config.json").read_text()) else "wrong"), said
        expected = recorder.run(source, target)
        found = stacks.difference(load_file(dump), expected)
        if found[0] > 1:
            with record.replaced(*stacks.ORIGINAL_PARTS):
                rough = [approximate.run(source, target)]
            rough += [stacks.Recorder(one.nudged(unrecorded, seed)).run(source, target) for seed in range(3)]
            found = (found[0] / max(1, 4 * max(stacks.difference(r, expected)[0] for r in rough)), found[1])
        worst = max(worst, found)
    if worst[0] <= 1 and decodes and hasattr(exact, "lm_head"):
        plain = case.cls.from_pretrained(folder, dtype=torch.float64)
        fault = written(case, plain, folder, program, next(case.inputs(exact.config))[0])
        if fault:
            return "wrong", fault
    return ("within" if worst[0] <= 1 else "wrong"), f"{worst[0]:.3f} of the tolerance at {worst[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=Path, help="where the folders of wrong cases are put")
    parser.add_argument("--headlight", type=Path, default=HEADLIGHT)
    options = parser.parse_args()
    hf.utils.logging.set_verbosity(50)
    hf.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    names = [f"{family}-{options.seed * 100000 + i}" for i in range(-(-options.cases // len(FAMILIES))) for family in FAMILIES]
    counts, largest = {}, {}
    with record.replaced(*stacks.FLOAT64_PARTS):
        for name in [options.only] if options.only else names[:options.cases]:
            case = Case(name)
            with tempfile.TemporaryDirectory() as scratch:
                kind, detail = run(case, Path(scratch), options.headlight)
                if kind != "within" or options.only:
                    print(f"{name} ({case.cls.__name__}, {case.dtype}): {kind}: {detail}", flush=True)
                if kind == "wrong" and options.keep:
                    shutil.copytree(scratch, options.keep / name, dirs_exist_ok=True)
            counts.setdefault(case.family, {"within": 0, "refused": 0, "wrong": 0})[kind] += 1
            if kind == "within":
                largest[case.family] = max(largest.get(case.family, (0, "")), (float(detail.split()[0]), detail.split()[-1]))
    print("\n| family | within the tolerances | largest part of one | refused by name | wrong |\n|---|---|---|---|---|")
    for family, row in counts.items():
        print(f"| {family} | {row['within']} | {largest.get(family, (0, ''))[0]:.2f} ({largest.get(family, (0, '-'))[1]}) | {row['refused']} | {row['wrong']} |")
    return 1 if any(row["wrong"] for row in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
