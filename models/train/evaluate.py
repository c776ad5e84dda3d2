"""evaluate - the share of masked tokens and words that a masked language model predicts correctly (top-1).

    python evaluate.py MODEL CONLLU [--texts 600]

As ../shared/tools/evalmlm.md says it: texts longer than 40 characters, the first 600, cut to 120 pieces; 15 % of the positions
become [MASK], all in one pass; top-1. "per word": whole words are masked, and all pieces of a word must be right.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from text import tokenizer_of


def texts_of(conllu, count):
    lines = Path(conllu).read_text(encoding='utf8').split('\n')
    texts = [line[len('# text = ') :] for line in lines if line.startswith('# text = ')]
    return [text for text in texts if len(text) > 40][:count]


def pieces_right(logits_of, tokenizer, texts, words):
    """(right, asked). words: whole words are masked, and count when all pieces are right."""
    rng = np.random.default_rng(0)
    right = asked = 0
    for text in texts:
        encoded = tokenizer.backend_tokenizer.encode(text, add_special_tokens=False)
        ids = np.array([tokenizer.cls_token_id] + encoded.ids[:120] + [tokenizer.sep_token_id])
        groups = [-1] + encoded.word_ids[:120] + [-1]
        if words:
            chosen = {w for w in dict.fromkeys(groups[1:-1]) if rng.random() < 0.15}
            picked = np.array([g in chosen and g != -1 for g in groups])
        else:
            picked = rng.random(len(ids)) < 0.15
            picked[[0, -1]] = False
        if not picked.any():
            continue
        masked = np.where(picked, tokenizer.mask_token_id, ids)
        found = logits_of(torch.from_numpy(masked)[None])[0].argmax(-1).cpu().numpy()
        same = found == ids
        if words:
            for w in chosen:
                right += bool(same[[g == w for g in groups]].all())
            asked += len(chosen)
        else:
            right += int(same[picked].sum())
            asked += int(picked.sum())
    return right, asked


@torch.no_grad()
def evaluate(model, tokenizer, conllu, count=600):
    device = next(model.parameters()).device
    model.eval()

    def logits_of(ids):
        out = model(input_ids=ids.to(device))
        return getattr(out, 'prediction_logits', None) if hasattr(out, 'prediction_logits') else out.logits

    texts = texts_of(conllu, count)
    figures = {}
    for name, words in (('pieces', False), ('words', True)):
        right, asked = pieces_right(logits_of, tokenizer, texts, words)
        figures[name] = round(100 * right / max(asked, 1), 2)
        figures[f'{name}_asked'] = asked
    return figures


def main():
    from networks import open_masked

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('model', type=Path)
    parser.add_argument('conllu', type=Path)
    parser.add_argument('--texts', type=int, default=600)
    given = parser.parse_args()
    model = open_masked(given.model)
    print(json.dumps(evaluate(model, tokenizer_of(given.model), given.conllu, given.texts)))


if __name__ == '__main__':
    main()
