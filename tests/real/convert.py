#!/usr/bin/env python3
"""What `headlight convert` writes is opened by Hugging Face transformers, and computes there what it does here. `make test-real` runs it.

    python convert.py [NAME ...]          golden models (../golden/models), all of them without names

Each model, as it is, in mixed types and shards, with a decoder that config.json unties and with one that only the weights have, is converted
to f32 and to q8, opened in transformers without an option (q8 through the package compressed-tensors), and compared: every weight is in the
file and none is left over, the output in f32 is what transformers computes from the source but for rounding, the output is that of Headlight on the
same folder in f32 to LARGEST, the tokenizer gives the ids that it gave before, and Headlight opens its own q8 folder with the bits of q8 made
from the original. python/tests/test_convert.py runs it where transformers is installed.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from safetensors.torch import load_file, save_file

ROOT = Path(__file__).resolve().parents[2]
HEADLIGHT, GOLDEN = ROOT / "build/out/native/headlight", ROOT / "tests/golden"
LARGEST = 1e-4  # of an output, relative to the largest
ROUNDING = 1e-5  # the same, of transformers beside itself: its sums depend on where in memory a matrix lies
LOGITS = ("mlm_logits", "lm_logits", "label_logits", "token_label_logits", "discriminator_logits")


def headlight(*args):
    return subprocess.run([HEADLIGHT, *map(str, args)], check=True, capture_output=True, text=True).stdout


def dumped(folder, ids, store):
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        headlight("run", folder, "--ids", " ".join(map(str, ids)), "--store", store, "--dump", file.name)
        return load_file(file.name)


def output(model, ids):
    """The first output of a model: logits, or the last hidden state."""
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids]))[0][0]


def expected(dump, model):
    if type(model).__name__.endswith("QuestionAnswering"):
        return dump["answer_logits"][:, 0]
    for name in LOGITS:
        if name in dump:
            return dump[name]
    layers = max(int(n.split(".")[1]) for n in dump if n.startswith("layer."))
    return dump.get("final_hidden", dump[f"layer.{layers}.hidden"])


# The decoder of a model, and the head whose bias is the decoder's, too.
DECODERS = {"bert-sixteen-heads": ("cls.predictions.decoder", "cls.predictions"), "distilbert-masked": ("vocab_projector", None),
            "albert-groups": ("predictions.decoder", "predictions"), "electra-generator": ("generator_lm_head", None),
            "modernbert-masked": ("decoder", None),
            **{f"{n}-masked": ("lm_head.decoder", "lm_head") for n in ("roberta", "camembert", "xlm-roberta", "mpnet")},
            **{f"{n}-next": ("lm_head", None) for n in ("gpt2", "llama", "qwen2", "qwen3")}}
WORDS = ("word_embeddings.weight", "tok_embeddings.weight", "embed_tokens.weight", "wte.weight")


def tensors_of(folder):
    return {name: x for file in sorted(folder.glob("*.safetensors")) for name, x in load_file(file).items()}


def written(folder, source, tensors, config, shards=1):
    """A copy of the source with these tensors, and members of config.json that are other."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("model*.safetensors*"))
    said = json.loads((source / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**said, **config}))
    where = {name: f"model-{i % shards + 1}.safetensors" if shards > 1 else "model.safetensors" for i, name in enumerate(tensors)}
    for file in set(where.values()):
        save_file({n: x.contiguous() for n, x in tensors.items() if where[n] == file}, folder / file, metadata={"format": "pt"})
    if shards > 1:
        (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": where}))
    return folder


def with_decoder(name, tensors):
    decoder, head = DECODERS[name]
    shape = next(x.shape for n, x in tensors.items() if n.endswith(WORDS))
    values = torch.sin(torch.arange(shape.numel(), dtype=torch.float32)).reshape(shape) / 4
    bias = torch.cos(torch.arange(shape[0], dtype=torch.float32))
    return {**tensors, f"{decoder}.weight": values, **({f"{decoder}.bias": bias, f"{head}.bias": bias.clone()} if head else {})}


def forms(name, scratch):
    """(what it is, its folder)"""
    source = GOLDEN / "models" / name
    tensors = tensors_of(source)
    yield "as it is", source
    types = [lambda x: x, lambda x: x.double(), lambda x: x.float()]
    mixed = {n: types[i % 3](x) if x.is_floating_point() else x for i, (n, x) in enumerate(tensors.items())}
    yield "mixed types in shards", written(scratch / f"{name}-mixed", source, mixed, {}, 3)
    if name in DECODERS:
        own = with_decoder(name, tensors)
        yield "untied", written(scratch / f"{name}-untied", source, own, {"tie_word_embeddings": False})
        yield "a decoder of its own", written(scratch / f"{name}-own", source, own, {"tie_word_embeddings": True})


def check_form(cls, what, source, ids, scratch, stores):
    faults = []
    exact = output(cls.from_pretrained(source, dtype=torch.float32).eval(), ids)
    for store in stores:
        folder = scratch / f"{source.name}-{store}"
        headlight("convert", source, folder, "--store", store)
        model, info = cls.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
        left = {k: sorted(v) for k, v in info.items() if v}
        if left:
            faults.append(f"{what}, {store}: {left}")
        found, wanted = output(model.eval(), ids), expected(dumped(folder, ids, "f32"), model)
        off = ((found.reshape(-1) - wanted.reshape(-1)).abs().max() / wanted.abs().max()).item()
        if off > LARGEST:
            faults.append(f"{what}, {store}: the output is off by {off:.1e} of its size")
        other = ((found - exact).abs().max() / exact.abs().max()).item()
        if store == "f32" and other > ROUNDING:
            faults.append(f"{what}: transformers computes {other:.1e} more or less from the source")
        before, after = (transformers.AutoTokenizer.from_pretrained(f)("The cat sat.")["input_ids"] for f in (source, folder))
        if before != after:
            faults.append(f"{what}, {store}: the tokenizer gives {after} for {before}")
    if "q8" in stores:
        fresh, again = dumped(source, ids, "q8"), dumped(scratch / f"{source.name}-q8", ids, "q8")
        if fresh.keys() != again.keys() or any(not torch.equal(x, again[n]) for n, x in fresh.items()):
            faults.append(f"{what}: q8 opened again has other bits")
    return faults


def check(name, scratch, stores=("f32", "q8")):
    config = json.loads((GOLDEN / "models" / name / "config.json").read_text())
    cls = getattr(transformers, config["architectures"][0])
    ids = json.loads((GOLDEN / "dumps" / name / "inputs.json").read_text())["inputs"][0]["input_ids"]
    return [fault for what, source in forms(name, scratch) for fault in check_form(cls, what, source, ids, scratch, stores)]


def names_of_all():
    rows = json.loads((GOLDEN / "models.json").read_text())["models"]
    return [row["name"] for row in rows if not row["name"].startswith("bert-tiny-")]


def main():
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    names = sys.argv[1:] or names_of_all()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            faults = check(name, Path(scratch))
            failed += bool(faults)
            print(f"{name}: {'; '.join(faults) or 'opened as f32 and q8, with the same output, ids and bits'}", flush=True)
            for folder in Path(scratch).iterdir():
                shutil.rmtree(folder)
    print(f"\n{failed} failed" if failed else "\ntransformers opens every folder")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
