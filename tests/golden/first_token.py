"""What one head takes from the first token, weight and what is moved (Kobayashi et al. 2020), by Hugging Face transformers in
float64, for tests/js/insight.test.mjs. python first_token.py MINILM_EN MINI_GPT_EN, folders that `headlight convert
models/NAME OUT --store f32` writes. Writes first_token.json: the mean over the queries of the first token's weight, and of its
share of each row of ‖a v W_O‖."""
import pathlib
import sys

import torch
import transformers

import produce

LAYER = 2
LONG = ("The old man who lived near the river told the children that the bridge had been closed since the flood, and that "
    "nobody in the village knew when the workers would come back to repair it.")
CASES = (("minilm-en", 7, "The president of the United States said on Monday."),
    ("minilm-en", 7, "Nobody in the house knew that the old woman at the door was the one who had written the letter."),
    ("minilm-en", 7, LONG), ("mini-gpt-en", 1, LONG))


def taken(folder, head, text):
    """Weight of the first token, and its share of what is moved."""
    model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    tokens = transformers.AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    width = model.config.hidden_size // model.config.num_attention_heads
    own, seen = slice(head * width, (head + 1) * width), []
    if model.config.model_type == "gpt2":  # [in, out]; q, k and v beside each other
        part = model.h[LAYER].attn
        source, output = part.c_attn, part.c_proj.weight[own]
    else:
        part = model.encoder.layer[LAYER].attention
        source, output = part.self.value, part.output.dense.weight[:, own].T
    source.register_forward_hook(lambda module, args, out: seen.append(out[0, :, -model.config.hidden_size:]))
    with torch.no_grad():
        weight = model(**tokens, output_attentions=True).attentions[LAYER][0, head]
        moved = weight * (seen[0][:, own] @ output).norm(dim=-1)
    return [round(float(rows[:, 0].mean()), 6) for rows in (weight, moved / moved.sum(-1, keepdim=True))]


if __name__ == "__main__":
    folders = dict(zip(("minilm-en", "mini-gpt-en"), map(pathlib.Path, sys.argv[1:])))
    produce.write_json(produce.HERE / "first_token.json", [{"model": name, "layer": LAYER, "head": head, "text": text,
        "taken": taken(folders[name], head, text)} for name, head, text in CASES])
