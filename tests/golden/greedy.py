"""Greedy continuations by Hugging Face transformers in float32, for tests/js/insight.test.mjs: the golden models that say
the next token, from the first input of their dumps, and mini-gpt-en from sentences. python greedy.py MINI_GPT_EN [SENTENCES
OUT]; MINI_GPT_EN: the folder that `headlight convert models/mini-gpt-en OUT --store f32` writes. Writes greedy.json, or of
the lines of SENTENCES, mini-gpt-en only, OUT."""
import json
import pathlib
import sys

import torch
import transformers

import produce

GOLDEN = ("gpt2-next", "llama-next", "mistral-next", "gpt-neox-next", "qwen2-next", "qwen3-next")
START, WRITTEN = 8, 20
SENTENCES = ("The president of the United", "She opened the door and", "In the morning the old man", "It was the first time that",
    "The teacher read the book, and then the teacher read the", "My name is", "Two and two are", "After the war, the city")


def continued(model, ids):
    with torch.no_grad():
        made = model.generate(torch.tensor([ids]), max_new_tokens=WRITTEN, do_sample=False, num_beams=1, pad_token_id=0)
    return {"ids": ids, "written": made[0, len(ids):].tolist()}


def opened(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


if __name__ == "__main__":
    mini, *other = sys.argv[1:]
    cut = transformers.AutoTokenizer.from_pretrained(mini)
    lines = pathlib.Path(other[0]).read_text().splitlines() if other else SENTENCES
    model = opened(mini)
    found = {"mini-gpt-en": [continued(model, cut(line)["input_ids"]) for line in lines]}
    for name in () if other else GOLDEN:
        ids = json.loads((produce.DUMPS / name / "inputs.json").read_text())["inputs"][0]["input_ids"][:START]
        found[name] = [continued(opened(produce.HERE / "models" / name), ids)]
    produce.write_json(pathlib.Path(other[1]) if other else produce.HERE / "greedy.json", found)
