#!/usr/bin/env python3
"""Checkpoints of other shapes and options than those of models.py, drawn by chance, Headlight's f32 against transformers in float64.

    python variants.py [--cases 300] [--seed 1] [--only NAME] [--keep FOLDER] [--headlight PROGRAM]

A case is a family, a class, a configuration and how its weights are stored; its name says what they were drawn from, so that --only
draws one again. Each is run on a few inputs of random ids (one token, some, as many as it takes) and every tensor that Headlight keeps
is compared within the tolerances of produce.py. Where float32 itself is not enough (deep or narrow random models), four times the error of transformers in float32 is allowed. A
case passes when all are within, or when `headlight` refuses it with a sentence that names the field and its value. `make test-real` runs it;
make test does not.
"""
import argparse
import json
import os
import random
import re
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

import produce
import record
import weights

HEADLIGHT = Path(__file__).resolve().parents[2] / "build/out/native/headlight"
ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "gelu_fast", "gelu_python", "relu", "silu", "swish")
OTHER_ACTIVATIONS = ("quick_gelu", "relu2", "mish", "gelu_10", "tanh", "linear", "leaky_relu", "hardswish", "sigmoid")
CAUSAL = ("gpt2", "gpt_neox", "llama", "mistral", "qwen2", "qwen3")
DTYPES = ("float32", "float32", "float16", "bfloat16", "float64")
OURS = {"generator_logits": "mlm_logits"}
TASKS = ("SequenceClassification", "TokenClassification", "QuestionAnswering")


# ---------------------------------------------------------------- configurations

def eps(r):
    return r.choice((1e-12, 1e-12, 1e-6, 1e-5, 1e-3, 0.1))


def bert_sizes(r, least_width=1):
    """Heads of any number and width; hidden is their product."""
    heads, width = r.choice((1, 2, 3, 5, 7, 12)), r.choice([w for w in (1, 2, 3, 4, 5, 7, 8, 16, 20, 33) if w >= least_width])
    return dict(num_attention_heads=heads, hidden_size=heads * width, num_hidden_layers=r.randint(1, 4),
                intermediate_size=r.choice((1, 3, 8, 17, 40, 64, 130)), vocab_size=r.choice((5, 11, 64, 131, 300)),
                max_position_embeddings=r.choice((6, 9, 24, 65)), layer_norm_eps=eps(r), hidden_act=r.choice(ACTIVATIONS),
                tie_word_embeddings=r.random() < 0.7)


def labelled(r):
    return r.choice(({}, {}, dict(num_labels=r.choice((1, 2, 5))), dict(problem_type="regression", num_labels=1)))


def bert(r):
    return dict(**bert_sizes(r), type_vocab_size=r.choice((1, 2, 2, 4)), pad_token_id=r.choice((0, 3)))


def roberta(r):
    config = bert_sizes(r)
    config["pad_token_id"] = r.choice((0, 1, 1, 2))
    return {**config, "max_position_embeddings": config["max_position_embeddings"] + config["pad_token_id"] + 1,
            "type_vocab_size": r.choice((1, 1, 2))}


def electra(r):
    config = bert(r)
    return {**config, "embedding_size": r.choice((config["hidden_size"], 1, 6, 24, 40))}


def albert(r):
    config = {**bert(r), "num_hidden_layers": r.randint(1, 6), "embedding_size": r.choice((1, 6, 16, 40))}
    return {**config, "num_hidden_groups": r.randint(1, config["num_hidden_layers"]), "inner_group_num": r.choice((1, 1, 1, 2)),
            "num_hidden_layers": r.choice((config["num_hidden_layers"], 18)), "hidden_act": r.choice(("gelu_new", *ACTIVATIONS))}


def distilbert(r):
    c = bert_sizes(r)
    return dict(dim=c["hidden_size"], n_heads=c["num_attention_heads"], n_layers=c["num_hidden_layers"],
                hidden_dim=c["intermediate_size"], vocab_size=c["vocab_size"], activation=c["hidden_act"],
                max_position_embeddings=c["max_position_embeddings"], sinusoidal_pos_embds=r.random() < 0.3,
                tie_word_embeddings=c["tie_word_embeddings"])


def mpnet(r):
    config = {**roberta(r), "max_position_embeddings": r.choice((12, 40, 150))}
    del config["type_vocab_size"]
    return config


def gpt2(r):
    c = bert_sizes(r)
    return dict(n_embd=c["hidden_size"], n_head=c["num_attention_heads"], n_layer=c["num_hidden_layers"],
                n_inner=r.choice((None, c["intermediate_size"])), n_positions=c["max_position_embeddings"], vocab_size=c["vocab_size"],
                activation_function=c["hidden_act"], layer_norm_epsilon=eps(r), tie_word_embeddings=c["tie_word_embeddings"],
                pad_token_id=r.choice((None, 0, 3)), scale_attn_weights=r.random() < 0.95,
                scale_attn_by_inverse_layer_idx=r.random() < 0.05, reorder_and_upcast_attn=r.random() < 0.05)


def scaled_rotation(r, theta, width, often=0.1):
    """Also one of the scaled kinds (transformers has not all of them for a width of 2)."""
    plain = dict(rope_type="default", rope_theta=theta)
    if r.random() >= often or width <= 2:
        return plain
    original, factor = r.choice((16, 40, 1000)), r.choice((1.5, 2.0, 8.0))
    yarn = dict(rope_type="yarn", factor=factor, rope_theta=theta, original_max_position_embeddings=original)
    return r.choice((
        dict(rope_type="linear", factor=factor, rope_theta=theta), dict(rope_type="dynamic", factor=factor, rope_theta=theta),
        r.choice((yarn, {**yarn, "beta_fast": 8.0, "beta_slow": 0.5}, {**yarn, "truncate": False}, {**yarn, "attention_factor": 0.8},
                  {**yarn, "mscale": 0.7, "mscale_all_dim": 1.2})),
        dict(rope_type="llama3", factor=factor, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=original,
             rope_theta=theta)))


def rotated(r, explicit):
    """Sizes of the Llama block: K key heads, H·d other than D where the family says d."""
    key_heads, group, width = r.choice((1, 2, 3, 4)), r.choice((1, 1, 2, 3, 5)), r.choice((2, 4, 6, 8, 12, 18, 32))
    heads = key_heads * group
    own = explicit and r.random() < 0.7
    config = dict(num_attention_heads=heads, num_key_value_heads=key_heads, num_hidden_layers=r.randint(1, 4),
                  hidden_size=heads * (r.choice((1, 3, 5, 8, 11)) if own else width), vocab_size=r.choice((5, 11, 64, 131, 300)),
                  intermediate_size=r.choice((1, 3, 8, 17, 40, 64, 130)), max_position_embeddings=r.choice((6, 24, 65, 300)),
                  rms_norm_eps=eps(r), hidden_act=r.choice(("silu", "silu", *ACTIVATIONS)), tie_word_embeddings=r.random() < 0.5,
                  pad_token_id=r.choice((None, 0, 3)),
                  rope_parameters=scaled_rotation(r, r.choice((10000.0, 500.0, 100000.0, 1000000.0)), width, 0.4))
    return {**config, **({"head_dim": width} if own or explicit is None else {})}


def llama(r):
    return {**rotated(r, True), "attention_bias": r.random() < 0.4, "mlp_bias": r.random() < 0.4}


def mistral(r):
    return {**rotated(r, True), "sliding_window": r.choice((None, 1, 2, 3, 7, 4096))}


def gpt_neox(r):
    c = bert_sizes(r)
    width = c["hidden_size"] // c["num_attention_heads"]
    part = r.choice([p for p in (0.1, 0.25, 0.5, 0.7, 1.0) if int(width * p) % 2 == 0] or [0.01])
    return dict(num_attention_heads=c["num_attention_heads"], hidden_size=c["hidden_size"], num_hidden_layers=c["num_hidden_layers"],
                intermediate_size=c["intermediate_size"], vocab_size=c["vocab_size"], hidden_act=c["hidden_act"],
                max_position_embeddings=c["max_position_embeddings"], layer_norm_eps=c["layer_norm_eps"],
                tie_word_embeddings=r.random() < 0.3, use_parallel_residual=r.random() < 0.6, attention_bias=r.random() < 0.7,
                pad_token_id=r.choice((None, 0, 3)),
                rope_parameters={**scaled_rotation(r, r.choice((10000.0, 500.0)), int(width * part), 0.3), "partial_rotary_factor": part})


def qwen2(r):
    config = rotated(r, False)
    if r.random() < 0.1:
        config.update(use_sliding_window=True, sliding_window=4, max_window_layers=r.choice((0, 1)))
    return config


def qwen3(r):
    config = rotated(r, True)
    config.setdefault("head_dim", config["hidden_size"] // config["num_attention_heads"])
    return {**config, "attention_bias": r.random() < 0.4}


def modernbert(r):
    c = bert_sizes(r)
    heads, width, layers = c["num_attention_heads"], r.choice((2, 4, 6, 8, 16, 20)), r.randint(1, 6)
    config = dict(num_attention_heads=heads, hidden_size=heads * width, num_hidden_layers=layers,
                  intermediate_size=c["intermediate_size"], vocab_size=c["vocab_size"], max_position_embeddings=c["max_position_embeddings"],
                  norm_eps=eps(r), hidden_activation=c["hidden_act"], classifier_activation=r.choice(ACTIVATIONS),
                  norm_bias=r.random() < 0.4, attention_bias=r.random() < 0.4, mlp_bias=r.random() < 0.4,
                  classifier_bias=r.random() < 0.4, decoder_bias=r.random() < 0.6, classifier_pooling=r.choice(("cls", "mean")),
                  tie_word_embeddings=c["tie_word_embeddings"], local_attention=r.choice((2, 3, 4, 7, 8, 128)),
                  pad_token_id=0, cls_token_id=1, sep_token_id=2, bos_token_id=1, eos_token_id=2,
                  rope_parameters={"full_attention": scaled_rotation(r, 160000.0, width),
                                   "sliding_attention": scaled_rotation(r, 10000.0, width)})
    if r.random() < 0.5:
        return {**config, "layer_types": [r.choice(("full_attention", "sliding_attention")) for _ in range(layers)]}
    return {**config, "global_attn_every_n_layers": r.choice((1, 2, 3, 5))}


FAMILIES = {  # name -> (configuration, prefix of the classes, other classes than those of TASKS and the bare model)
    "bert": (bert, "Bert", ("ForPreTraining", "ForMaskedLM")),
    "roberta": (roberta, "Roberta", ("ForMaskedLM",)),
    "camembert": (roberta, "Camembert", ("ForMaskedLM",)),
    "xlm-roberta": (roberta, "XLMRoberta", ("ForMaskedLM",)),
    "electra": (electra, "Electra", ("ForPreTraining", "ForMaskedLM")),
    "albert": (albert, "Albert", ("ForPreTraining", "ForMaskedLM")),
    "distilbert": (distilbert, "DistilBert", ("ForMaskedLM",)),
    "mpnet": (mpnet, "MPNet", ("ForMaskedLM",)),
    "gpt2": (gpt2, "GPT2", ("LMHeadModel", "LMHeadModel")),
    "llama": (llama, "Llama", ("ForCausalLM", "ForCausalLM")),
    "mistral": (mistral, "Mistral", ("ForCausalLM", "ForCausalLM")),
    "gpt_neox": (gpt_neox, "GPTNeoX", ("ForCausalLM", "ForCausalLM")),
    "qwen2": (qwen2, "Qwen2", ("ForCausalLM", "ForCausalLM")),
    "qwen3": (qwen3, "Qwen3", ("ForCausalLM", "ForCausalLM")),
    "modernbert": (modernbert, "ModernBert", ("ForMaskedLM", "ForMaskedLM")),
}


# ---------------------------------------------------------------- a case

class Case:
    def __init__(self, name):
        """name: family-number; the number seeds everything that is drawn."""
        self.name, self.family = name, name.rpartition("-")[0]
        r = self.random = random.Random(name)
        draw, prefix, classes = FAMILIES[self.family]
        config = draw(r)
        names = [prefix + c for c in (*classes, *classes, "Model", *("For" + t for t in TASKS)) if hasattr(hf, prefix + c)]
        self.cls = getattr(hf, r.choice(names))
        if r.random() < 0.1:  # what nobody computes here
            key = next(k for k in ("hidden_act", "activation", "activation_function", "hidden_activation") if k in config)
            config[key] = r.choice(OTHER_ACTIVATIONS)
        if "Sequence" in self.cls.__name__ or "Token" in self.cls.__name__:
            config.update(labelled(r))
        config.setdefault("bos_token_id", 0), config.setdefault("eos_token_id", 0)
        self.config = self.cls.config_class(**config)
        self.how = {} if self.family == "mpnet" else {"attn_implementation": record.NAME}
        self.dtype, self.sharded, self.bare, self.short = r.choice(DTYPES), r.random() < 0.15, r.random() < 0.2, r.random() < 0.3

    def open(self, folder, dtype=torch.float64):
        return self.cls.from_pretrained(folder, dtype=dtype, **self.how)

    def make(self, folder):
        model = self.cls._from_config(self.config, dtype=torch.float64, **self.how)
        weights.fill(model, self.name)
        model.to(getattr(torch, self.dtype)).save_pretrained(folder, **({"max_shard_size": "20KB"} if self.sharded else {}))
        (folder / "generation_config.json").unlink(missing_ok=True)
        opened = [self.open(folder, dtype) for dtype in (torch.float64, torch.float32)]
        self.rewrite(folder)
        return opened

    def rewrite(self, folder):
        """Other forms of the same files: without the prefix of the base model; without what is the default of the class."""
        single, base = folder / "model.safetensors", self.cls.base_model_prefix + "."
        if self.bare and single.exists():
            found = load_file(single)
            if all(name.startswith(base) for name in found):
                save_file({name.removeprefix(base): x for name, x in found.items()}, single, {"format": "pt"})
        if self.short:
            file = folder / "config.json"
            config, usual = json.loads(file.read_text()), self.cls.config_class().to_dict()
            needed = ("model_type", "architectures", "rope_parameters", "layer_types", "id2label")
            file.write_text(json.dumps({k: v for k, v in config.items() if k in needed or k not in usual or usual[k] != v}))

    def inputs(self):
        config, r = self.config, self.random
        most = getattr(config, "max_position_embeddings", None) or config.n_positions
        if self.family in ("roberta", "camembert", "xlm-roberta", "mpnet"):
            most -= 2 if self.family == "mpnet" else config.pad_token_id + 1
        types = getattr(config, "type_vocab_size", 0) if self.family not in ("mpnet", "distilbert", *CAUSAL, "modernbert") else 0
        rope = getattr(config, "rope_parameters", None) or {}
        longest = int(most * rope["factor"]) if rope.get("rope_type") == "dynamic" else most  # last: transformers keeps the longer base
        for length in sorted({1, min(most, r.randint(2, 12)), most, longest}):
            ids = [r.randrange(config.vocab_size) for _ in range(length)]
            yield ids, [r.randrange(types) for _ in range(length)] if types else None


def part_of(x, expected, name):
    """|x - expected| as a part of the tolerance."""
    return (x.double().flatten() - expected.flatten()).abs().max().item() / produce.TOLERANCE[produce.kind(name)]


def difference(found, expected, rough):
    """The largest part of a tolerance that is used, and where. rough(): passes that differ by float32's rounding, made when wanted."""
    worst = (0.0, "")
    for name, x in expected.items():
        ours = found.get(OURS.get(name, name))
        if ours is None and name == "position_ids":
            continue
        if ours is None:
            return float("inf"), f"{name} was not kept"
        if ours.numel() != x.numel():
            return float("inf"), f"{name} has another size"
        if not x.is_floating_point():
            off = float((ours.flatten() != x.flatten()).any()) * 1e9
        else:
            off = part_of(ours, x, name)
            if off > 1:
                off /= max(1, 4 * max(part_of(other[name], x, name) for other in rough()))
        if not off <= worst[0]:
            worst = (off, name)
    return worst


def named(sentence, config_text):
    """Whether a refusal names a field of config.json and its value."""
    found = re.search(r'"(\w+)" in config\.json is (.*?)[;,]', sentence)
    if not found:
        return False
    written = re.findall(rf'"{found[1]}"\s*:\s*([^,\n}}]+)', config_text)
    return any(value.strip().strip('"') in found[2] for value in written)


def nudged(model, seed):
    """A copy whose weights are each off by up to half a step of float32 (6e-8 of them)."""
    copy, drawn = deepcopy(model), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in copy.parameters():
            weight.mul_(1 + 6e-8 * (2 * torch.rand(weight.shape, generator=drawn, dtype=torch.float64) - 1))
    return copy


def run(case, folder, headlight):
    """(kind, detail): kind is "within", "refused" or "wrong"."""
    exact, single = case.make(folder)
    unrecorded = deepcopy(exact)
    recorder, approximate, worst = record.Recorder(exact), record.Recorder(single, exact=False), (0.0, "")

    def rough():
        """The pass in float32, and in float64 with weights that float32 could have rounded so: deep random models multiply that."""
        with record.replaced(*record.ORIGINAL_PARTS):
            single_pass = approximate.run(ids, types)
        return [single_pass, *(record.Recorder(nudged(unrecorded, seed)).run(ids, types) for seed in range(3))]
    for ids, types in case.inputs():
        expected = recorder.run(ids, types)
        dump = folder / "dump.safetensors"
        options = ["--ids", " ".join(map(str, ids)), *(["--types", " ".join(map(str, types))] if types else [])]
        ran = subprocess.run([headlight, "run", folder, *options, "--store", "f32", "--precision", "fine", "--dump", dump],
                             capture_output=True, text=True)
        if ran.returncode:
            said = ran.stderr.strip()
            return ("refused" if named(said, (folder / "config.json").read_text()) else "wrong"), said
        worst = max(worst, difference(load_file(dump), expected, rough))
    return ("within" if worst[0] <= 1 else "wrong"), f"{worst[0]:.3f} of the tolerance at {worst[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=Path, help="where the folders of wrong cases are put")
    parser.add_argument("--headlight", type=Path, default=HEADLIGHT)
    options = parser.parse_args()
    hf.utils.logging.set_verbosity_error()
    hf.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    names = [f"{family}-{options.seed * 100000 + i}" for i in range(-(-options.cases // len(FAMILIES))) for family in FAMILIES]
    counts, largest, said = {}, {}, {}
    with record.replaced(*record.FLOAT64_PARTS):
        for name in [options.only] if options.only else names[:options.cases]:
            case = Case(name)
            with tempfile.TemporaryDirectory() as scratch:
                kind, detail = run(case, Path(scratch), options.headlight)
                if kind == "wrong" or options.only:
                    print(f"{name} ({case.cls.__name__}, {case.dtype}): {kind}: {detail}", flush=True)
                    if options.keep:
                        shutil.copytree(scratch, options.keep / name, dirs_exist_ok=True)
            row = counts.setdefault(case.family, {"within": 0, "refused": 0, "wrong": 0})
            row[kind] += 1
            if kind == "refused":
                said[re.sub(r"^\w+: ", "", detail)[:110]] = said.get(re.sub(r"^\w+: ", "", detail)[:110], 0) + 1
            if kind == "within":
                largest[case.family] = max(largest.get(case.family, (0, "")), (float(detail.split()[0]), detail.split()[-1]))
    print("\n| family | within the tolerances | largest part of one | refused by name | wrong |\n|---|---|---|---|---|")
    for family, row in counts.items():
        print(f"| {family} | {row['within']} | {largest.get(family, (0, ''))[0]:.2f} ({largest.get(family, (0, '-'))[1]}) | {row['refused']} | {row['wrong']} |")
    for sentence, times in sorted(said.items()):
        print(f"refused {times} times: {sentence}")
    return 1 if any(row["wrong"] for row in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
