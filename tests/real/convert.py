#!/usr/bin/env python3
"""What `headlight convert` writes is opened by Hugging Face transformers, and computes there what it does here. `make test-real` runs it.

    python convert.py [NAME ...]          golden models (../golden/models), all of them without names

Each model is converted to f32 and to q8, opened in transformers without an option (q8 through the package compressed-tensors), and compared:
every weight is in the file and none is left over, the output is that of Headlight on the same folder in f32 to LARGEST, the tokenizer
gives the ids that it gave before, and Headlight opens its own q8 folder with the bits of q8 made from the original.
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
from safetensors.torch import load_file

ROOT = Path(__file__).resolve().parents[2]
HEADLIGHT, GOLDEN = ROOT / "build/out/native/headlight", ROOT / "tests/golden"
LARGEST = 1e-4  # of an output, relative to the largest
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


def check(name, scratch):
    source, faults = GOLDEN / "models" / name, []
    config = json.loads((source / "config.json").read_text())
    cls = getattr(transformers, config["architectures"][0])
    ids = json.loads((GOLDEN / "dumps" / name / "inputs.json").read_text())["inputs"][0]["input_ids"]
    for store in ("f32", "q8"):
        folder = scratch / f"{name}-{store}"
        headlight("convert", source, folder, "--store", store)
        model, info = cls.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
        left = {k: sorted(v) for k, v in info.items() if v}
        if left:
            faults.append(f"{store}: {left}")
        found, wanted = output(model.eval(), ids), expected(dumped(folder, ids, "f32"), model)
        off = ((found.reshape(-1) - wanted.reshape(-1)).abs().max() / wanted.abs().max()).item()
        if off > LARGEST:
            faults.append(f"{store}: the output is off by {off:.1e} of its size")
        before, after = (transformers.AutoTokenizer.from_pretrained(f)("The cat sat.")["input_ids"] for f in (source, folder))
        if before != after:
            faults.append(f"{store}: the tokenizer gives {after} for {before}")
    fresh, again = dumped(source, ids, "q8"), dumped(scratch / f"{name}-q8", ids, "q8")
    if fresh.keys() != again.keys() or any(not torch.equal(x, again[n]) for n, x in fresh.items()):
        faults.append("q8 opened again has other bits")
    return faults


def main():
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    rows = json.loads((GOLDEN / "models.json").read_text())["models"]
    names = sys.argv[1:] or [row["name"] for row in rows if not row["name"].startswith("bert-tiny-")]
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
