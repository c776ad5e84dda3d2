"""maps - how much the attention of two models of the same shape and vocabulary differs, for example before and after training.

    python maps.py BEFORE AFTER CONLLU [--texts 50]

Prints for each layer the mean over heads of the correlation between the two maps (of all rows, [CLS] and [SEP] included), the mean
and the largest difference, and the share of rows whose most looked-at key is the same.
"""

import argparse
import json
from pathlib import Path

import torch
from transformers import AutoModel

from evaluate import texts_of
from text import tokenizer_of


@torch.no_grad()
def compare(before, after, tokenizer, texts):
    models = [AutoModel.from_pretrained(m, dtype=torch.float32, attn_implementation='eager').eval() for m in (before, after)]
    layers = models[0].config.num_hidden_layers
    sums = [dict(correlation=0.0, mean=0.0, largest=0.0, top=0.0) for _ in range(layers)]
    for text in texts:
        encoded = tokenizer(text, return_tensors='pt', truncation=True, max_length=128)
        one, other = (m(**encoded, output_attentions=True).attentions for m in models)
        for layer in range(layers):
            a, b = one[layer][0], other[layer][0]
            flat = torch.stack([a.flatten(1), b.flatten(1)]) - a.new_tensor(1 / a.shape[-1])
            cosine = torch.nn.functional.cosine_similarity(flat[0], flat[1], dim=-1)
            found = sums[layer]
            found['correlation'] += float(cosine.mean()) / len(texts)
            found['mean'] += float((a - b).abs().mean()) / len(texts)
            found['largest'] = max(found['largest'], float((a - b).abs().max()))
            found['top'] += float((a.argmax(-1) == b.argmax(-1)).float().mean()) / len(texts)
    return [{name: round(value, 4) for name, value in found.items()} for found in sums]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('before', type=Path)
    parser.add_argument('after', type=Path)
    parser.add_argument('conllu', type=Path)
    parser.add_argument('--texts', type=int, default=50)
    given = parser.parse_args()
    texts = texts_of(given.conllu, given.texts)
    for layer, row in enumerate(compare(given.before, given.after, tokenizer_of(given.before), texts)):
        print(json.dumps({'layer': layer} | row))


if __name__ == '__main__':
    main()
