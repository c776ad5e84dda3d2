"""What transformers writes with models/mini-de-en for 100 numbers that it was never trained on, and how well each of its heads aligns
their words, for tests/js/translated.test.mjs.

    python3 tests/golden/translated.py

writes translated.json and translated.tsv (source, target, alignment) beside this file. The numbers are those that models/train/translate.py
holds out; weights as the folder has them (int8, by compressed-tensors), attention and error rates in float64. Needs the PyPI packages of
models/train/requirements.txt, sentencepiece and compressed-tensors.
"""

import json
import os
import pathlib
import sys
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.simplefilter("ignore")

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "models/train"))
from translate import Said, error_of, held_out, links_of

COUNT, MOST = 100, 32


def gold_of(links):
    pairs = [(tuple(map(int, one.replace("?", "-").split("-"))), "?" in one) for one in links]
    return {pair for pair, may in pairs if not may}, {pair for pair, _ in pairs}


def diagonal(sources, targets):
    return {((2 * j + 1) * sources // (2 * targets), j) for j in range(targets)}


def main():
    folder = ROOT / "models/mini-de-en"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").double().eval()
    rows = [Said().number(n) for n in held_out(1000)[:COUNT]]
    lines = ["source\ttarget\talignment"] + ["\t".join(" ".join(part) for part in (r.german, r.english, r.links)) for r in rows]
    (HERE / "translated.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    written, sums = [], {}
    for row in rows:
        german, english = " ".join(row.german), " ".join(row.english)
        inputs = tokenizer(german, return_tensors="pt")
        made = model.generate(**inputs, num_beams=1, do_sample=False, max_new_tokens=MOST)[0].tolist()
        written.append({"source": german, "ids": inputs["input_ids"][0].tolist(), "written": made[1:], "target": english})
        sure, possible = gold_of(row.links)
        found = links_of(model, tokenizer, german, english)
        found["diagonal"] = diagonal(len(row.german), len(row.english))
        for key, links in found.items():
            right, all_ = error_of(links, sure, possible)
            sums[key] = (sums.get(key, (0, 0))[0] + right, sums.get(key, (0, 0))[1] + all_)
    config = model.config
    rates = [[1 - sums[shift, layer, head][0] / sums[shift, layer, head][1] for layer in range(config.decoder_layers)
              for head in range(config.decoder_attention_heads)] for shift in (0, 1)]
    right, all_ = sums["diagonal"]
    out = {"most": MOST, "aer": rates, "diagonal": 1 - right / all_, "rows": written}
    (HERE / "translated.json").write_text(json.dumps(out, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


main()
